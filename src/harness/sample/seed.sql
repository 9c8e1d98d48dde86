-- Harbour & Finch, marine-parts wholesaler: its operations database.
-- Synthetic: the company, its people, customers, suppliers and figures are invented.

CREATE TABLE staff (
  staff_id TEXT PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, desk TEXT NOT NULL
);
CREATE TABLE warehouse (
  warehouse_id TEXT PRIMARY KEY, code TEXT NOT NULL UNIQUE, city TEXT NOT NULL, lead_id TEXT REFERENCES staff
);
CREATE TABLE supplier (
  supplier_id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, country TEXT NOT NULL,
  payment_terms_days INTEGER NOT NULL, updated_at TEXT NOT NULL
);
CREATE TABLE customer (
  customer_id TEXT PRIMARY KEY, account_number TEXT NOT NULL UNIQUE, name TEXT NOT NULL, region TEXT NOT NULL,
  account_manager_id TEXT NOT NULL REFERENCES staff, credit_limit REAL NOT NULL,
  account_status TEXT NOT NULL CHECK (account_status IN ('active', 'on_hold', 'closed')),
  hold_cleared_by TEXT REFERENCES staff, updated_at TEXT NOT NULL
);
CREATE TABLE part (
  part_id TEXT PRIMARY KEY, sku TEXT NOT NULL UNIQUE, name TEXT NOT NULL, category TEXT NOT NULL,
  supplier_id TEXT NOT NULL REFERENCES supplier, unit_price REAL NOT NULL CHECK (unit_price > 0),
  updated_at TEXT NOT NULL
);
CREATE TABLE stock_level (
  warehouse_id TEXT NOT NULL REFERENCES warehouse, part_id TEXT NOT NULL REFERENCES part, zone TEXT NOT NULL,
  quantity INTEGER NOT NULL CHECK (quantity >= 0), reorder_point INTEGER NOT NULL, updated_at TEXT NOT NULL,
  PRIMARY KEY (warehouse_id, part_id)
);
CREATE TABLE sales_order (
  order_id TEXT PRIMARY KEY, number TEXT NOT NULL UNIQUE, customer_id TEXT NOT NULL REFERENCES customer,
  status TEXT NOT NULL CHECK (status IN ('open', 'picking', 'dispatched', 'delivered', 'cancelled')),
  ship_method TEXT NOT NULL CHECK (ship_method IN ('carrier', 'collection', 'own_van')),
  total REAL NOT NULL, placed_on TEXT NOT NULL, note TEXT, updated_at TEXT NOT NULL
);
CREATE TABLE order_line (
  order_id TEXT NOT NULL REFERENCES sales_order, line_no INTEGER NOT NULL, part_id TEXT NOT NULL REFERENCES part,
  quantity INTEGER NOT NULL, unit_price REAL NOT NULL, PRIMARY KEY (order_id, line_no)
);
CREATE TABLE shipment (
  shipment_id TEXT PRIMARY KEY, number TEXT NOT NULL UNIQUE, order_id TEXT NOT NULL REFERENCES sales_order,
  carrier TEXT NOT NULL, status TEXT NOT NULL CHECK (status IN ('booked', 'collected', 'delivered', 'void')),
  booked_on TEXT NOT NULL, updated_at TEXT NOT NULL
);
CREATE TABLE credit_note (
  credit_note_id TEXT PRIMARY KEY, number TEXT NOT NULL UNIQUE, order_id TEXT NOT NULL REFERENCES sales_order,
  amount REAL NOT NULL CHECK (amount > 0), reason TEXT NOT NULL, issued_at TEXT NOT NULL
);
CREATE TABLE purchase_order (
  po_id TEXT PRIMARY KEY, number TEXT NOT NULL UNIQUE, supplier_id TEXT NOT NULL REFERENCES supplier,
  status TEXT NOT NULL CHECK (status IN ('draft', 'ready', 'sent', 'received', 'cancelled')),
  approval_required INTEGER NOT NULL, approved_by TEXT REFERENCES staff, total REAL NOT NULL,
  subject TEXT NOT NULL, expected_on TEXT, updated_at TEXT NOT NULL
);

-- A cancelled order must not leave the yard: its booked shipments become void by themselves.
CREATE TRIGGER void_shipments AFTER UPDATE OF status ON sales_order WHEN NEW.status = 'cancelled' BEGIN
  UPDATE shipment SET status = 'void' WHERE order_id = NEW.order_id AND status = 'booked';
END;

INSERT INTO staff VALUES
  ('stf_01', 'Ines Caldwell', 'ines.caldwell@harbourfinch.example', 'accounts-south'),
  ('stf_02', 'Tomas Whitlock', 'tomas.whitlock@harbourfinch.example', 'accounts-north'),
  ('stf_03', 'Priya Sandell', 'priya.sandell@harbourfinch.example', 'purchasing'),
  ('stf_04', 'Gordon Ames', 'gordon.ames@harbourfinch.example', 'credit'),
  ('stf_05', 'Lena Voss', 'lena.voss@harbourfinch.example', 'stores'),
  ('stf_06', 'Rufus Okafor', 'rufus.okafor@harbourfinch.example', 'customer-care');

INSERT INTO warehouse VALUES
  ('wh_1', 'POR', 'Portsmouth', 'stf_05'),
  ('wh_2', 'FAL', 'Falmouth', NULL),
  ('wh_3', 'LEI', 'Leith', NULL);

INSERT INTO supplier VALUES
  ('sup_01', 'Skarvik Chain Works', 'Denmark', 30, '2026-02-20 08:00:00.000'),
  ('sup_02', 'Skarvika Chandlers', 'Norway', 30, '2026-02-20 08:00:00.000'),
  ('sup_03', 'Brackenmoor Sailcloth', 'Ireland', 45, '2026-02-20 08:00:00.000'),
  ('sup_04', 'Castelo Velho Bronze', 'Portugal', 60, '2026-02-20 08:00:00.000'),
  ('sup_05', 'Ropewalk & Daughters', 'England', 30, '2026-02-20 08:00:00.000'),
  ('sup_06', 'Stillwater Pump Yard', 'Netherlands', 30, '2026-02-20 08:00:00.000'),
  ('sup_07', 'Lanthorn Electric', 'Scotland', 14, '2026-02-20 08:00:00.000'),
  ('sup_08', 'Greyling Coatings', 'Wales', 30, '2026-02-20 08:00:00.000');

INSERT INTO customer VALUES
  ('cus_001', 'HF-2001', 'Marram Ferries', 'Solent', 'stf_01', 2500.00, 'active', NULL, '2026-02-20 08:00:00.000'),
  ('cus_002', 'HF-2002', 'Pellow Boatyard', 'Cornwall', 'stf_01', 12000.00, 'active', NULL, '2026-02-20 08:00:00.000'),
  ('cus_003', 'HF-2003', 'Tideway Charters', 'Solent', 'stf_01', 20000.00, 'active', NULL, '2026-02-20 08:00:00.000'),
  ('cus_004', 'HF-2004', 'Inchgarvie Pilots', 'Forth', 'stf_02', 8000.00, 'active', NULL, '2026-02-20 08:00:00.000'),
  ('cus_005', 'HF-2005', 'Saltmarsh Sailing School', 'Solent', 'stf_01', 5000.00, 'active', NULL, '2026-02-20 08:00:00.000'),
  ('cus_006', 'HF-2006', 'Cairnbeg Fishermen''s Co-op', 'Forth', 'stf_02', 12000.00, 'active', NULL, '2026-02-20 08:00:00.000'),
  ('cus_007', 'HF-2007', 'Trevose Lifting Gear', 'Cornwall', 'stf_02', 5000.00, 'active', NULL, '2026-02-20 08:00:00.000'),
  ('cus_008', 'HF-2008', 'Quayside Rigging', 'Solent', 'stf_01', 2500.00, 'active', NULL, '2026-02-20 08:00:00.000'),
  ('cus_009', 'HF-2009', 'Blackwater Tugs', 'Solent', 'stf_01', 20000.00, 'on_hold', NULL, '2026-02-20 08:00:00.000'),
  ('cus_010', 'HF-2010', 'Blackwater Towage', 'Solent', 'stf_01', 5000.00, 'active', NULL, '2026-02-20 08:00:00.000'),
  ('cus_011', 'HF-2011', 'Penhallow Yachts', 'Cornwall', 'stf_02', 8000.00, 'active', NULL, '2026-02-20 08:00:00.000'),
  ('cus_012', 'HF-2012', 'Kinneil Marine', 'Forth', 'stf_02', 12000.00, 'active', NULL, '2026-02-20 08:00:00.000'),
  ('cus_013', 'HF-2013', 'Lantern Rock Tours', 'Cornwall', 'stf_02', 8000.00, 'active', NULL, '2026-02-20 08:00:00.000'),
  ('cus_014', 'HF-2014', 'Hythe Pontoon Company', 'Solent', 'stf_01', 8000.00, 'active', NULL, '2026-02-20 08:00:00.000');

INSERT INTO part VALUES
  ('prt_001', 'SHK-08', 'Bronze shackle, 8 mm', 'rigging', 'sup_04', 14.20, '2026-02-20 08:00:00.000'),
  ('prt_002', 'SHK-10', 'Bronze shackle, 10 mm', 'rigging', 'sup_04', 17.10, '2026-02-20 08:00:00.000'),
  ('prt_003', 'SHK-10L', 'Bronze shackle, long, 10 mm', 'rigging', 'sup_04', 18.40, '2026-02-20 08:00:00.000'),
  ('prt_004', 'BLK-57', 'Single block, 57 mm', 'rigging', 'sup_04', 42.00, '2026-02-20 08:00:00.000'),
  ('prt_005', 'TUR-12', 'Turnbuckle, 12 mm', 'rigging', 'sup_01', 38.90, '2026-02-20 08:00:00.000'),
  ('prt_006', 'TUR-16', 'Turnbuckle, 16 mm', 'rigging', 'sup_01', 54.30, '2026-02-20 08:00:00.000'),
  ('prt_007', 'THM-10', 'Wire thimble, 10 mm', 'rigging', 'sup_01', 3.20, '2026-02-20 08:00:00.000'),
  ('prt_008', 'CHN-08', 'Anchor chain, 8 mm, per m', 'rigging', 'sup_01', 9.80, '2026-02-20 08:00:00.000'),
  ('prt_009', 'ROP-10', 'Braided rope, 10 mm, 100 m', 'ropes', 'sup_05', 128.00, '2026-02-20 08:00:00.000'),
  ('prt_010', 'ROP-12', 'Braided rope, 12 mm, 100 m', 'ropes', 'sup_05', 164.00, '2026-02-20 08:00:00.000'),
  ('prt_011', 'ROP-16', 'Mooring rope, 16 mm, 50 m', 'ropes', 'sup_05', 142.50, '2026-02-20 08:00:00.000'),
  ('prt_012', 'TWN-02', 'Whipping twine, 2 mm', 'ropes', 'sup_05', 6.40, '2026-02-20 08:00:00.000'),
  ('prt_013', 'FND-3', 'Fender, size 3', 'ropes', 'sup_02', 47.00, '2026-02-20 08:00:00.000'),
  ('prt_014', 'PMP-12', 'Bilge pump, 12 V', 'pumps', 'sup_06', 86.00, '2026-02-20 08:00:00.000'),
  ('prt_015', 'PMP-24', 'Bilge pump, 24 V', 'pumps', 'sup_06', 91.00, '2026-02-20 08:00:00.000'),
  ('prt_016', 'PMP-H', 'Hand pump, brass', 'pumps', 'sup_06', 64.00, '2026-02-20 08:00:00.000'),
  ('prt_017', 'HOS-25', 'Pump hose, 25 mm, 10 m', 'pumps', 'sup_06', 33.50, '2026-02-20 08:00:00.000'),
  ('prt_018', 'HOS-38', 'Pump hose, 38 mm, 10 m', 'pumps', 'sup_06', 46.00, '2026-02-20 08:00:00.000'),
  ('prt_019', 'SWT-F', 'Float switch', 'pumps', 'sup_06', 28.00, '2026-02-20 08:00:00.000'),
  ('prt_020', 'LMP-NAV', 'Navigation lamp set', 'electrical', 'sup_07', 112.00, '2026-02-20 08:00:00.000'),
  ('prt_021', 'LMP-DK', 'Deck lamp, LED', 'electrical', 'sup_07', 58.00, '2026-02-20 08:00:00.000'),
  ('prt_022', 'BAT-100', 'Battery, 100 Ah', 'electrical', 'sup_07', 210.00, '2026-02-20 08:00:00.000'),
  ('prt_023', 'FUS-KIT', 'Fuse kit, marine', 'electrical', 'sup_07', 24.00, '2026-02-20 08:00:00.000'),
  ('prt_024', 'HRN-12', 'Signal horn, 12 V', 'electrical', 'sup_07', 39.00, '2026-02-20 08:00:00.000'),
  ('prt_025', 'PNT-AF', 'Antifouling, red, 5 l', 'coatings', 'sup_08', 148.00, '2026-02-20 08:00:00.000'),
  ('prt_026', 'PNT-PR', 'Epoxy primer, 2.5 l', 'coatings', 'sup_08', 72.00, '2026-02-20 08:00:00.000'),
  ('prt_027', 'VRN-1', 'Spar varnish, 1 l', 'coatings', 'sup_08', 34.00, '2026-02-20 08:00:00.000'),
  ('prt_028', 'CLT-4', 'Sailcloth, 4 oz, per m', 'coatings', 'sup_03', 19.50, '2026-02-20 08:00:00.000');

INSERT INTO stock_level VALUES
  ('wh_1', 'prt_001', 'RIG', 2, 8, '2026-02-20 08:00:00.000'),
  ('wh_1', 'prt_002', 'RIG', 18, 8, '2026-02-20 08:00:00.000'),
  ('wh_1', 'prt_003', 'RIG', 6, 8, '2026-02-20 08:00:00.000'),
  ('wh_1', 'prt_004', 'RIG', 9, 8, '2026-02-20 08:00:00.000'),
  ('wh_1', 'prt_005', 'RIG', 14, 8, '2026-02-20 08:00:00.000'),
  ('wh_1', 'prt_006', 'RIG', 11, 8, '2026-02-20 08:00:00.000'),
  ('wh_1', 'prt_007', 'RIG', 6, 8, '2026-02-20 08:00:00.000'),
  ('wh_1', 'prt_008', 'RIG', 14, 8, '2026-02-20 08:00:00.000'),
  ('wh_1', 'prt_009', 'ROPE', 18, 6, '2026-02-20 08:00:00.000'),
  ('wh_1', 'prt_010', 'ROPE', 18, 6, '2026-02-20 08:00:00.000'),
  ('wh_1', 'prt_011', 'ROPE', 6, 6, '2026-02-20 08:00:00.000'),
  ('wh_1', 'prt_012', 'ROPE', 5, 6, '2026-02-20 08:00:00.000'),
  ('wh_1', 'prt_013', 'ROPE', 14, 6, '2026-02-20 08:00:00.000'),
  ('wh_1', 'prt_014', 'PUMP', 5, 6, '2026-02-20 08:00:00.000'),
  ('wh_1', 'prt_015', 'PUMP', 5, 6, '2026-02-20 08:00:00.000'),
  ('wh_1', 'prt_016', 'PUMP', 6, 6, '2026-02-20 08:00:00.000'),
  ('wh_1', 'prt_017', 'PUMP', 8, 6, '2026-02-20 08:00:00.000'),
  ('wh_1', 'prt_018', 'PUMP', 14, 6, '2026-02-20 08:00:00.000'),
  ('wh_1', 'prt_019', 'PUMP', 14, 6, '2026-02-20 08:00:00.000'),
  ('wh_1', 'prt_020', 'ELEC', 9, 6, '2026-02-20 08:00:00.000'),
  ('wh_1', 'prt_021', 'ELEC', 3, 6, '2026-02-20 08:00:00.000'),
  ('wh_1', 'prt_022', 'ELEC', 18, 6, '2026-02-20 08:00:00.000'),
  ('wh_1', 'prt_023', 'ELEC', 5, 6, '2026-02-20 08:00:00.000'),
  ('wh_1', 'prt_024', 'ELEC', 3, 6, '2026-02-20 08:00:00.000'),
  ('wh_1', 'prt_025', 'COAT', 8, 10, '2026-02-20 08:00:00.000'),
  ('wh_1', 'prt_026', 'COAT', 24, 10, '2026-02-20 08:00:00.000'),
  ('wh_1', 'prt_027', 'COAT', 5, 10, '2026-02-20 08:00:00.000'),
  ('wh_1', 'prt_028', 'COAT', 6, 10, '2026-02-20 08:00:00.000'),
  ('wh_2', 'prt_001', 'RIG', 8, 6, '2026-02-20 08:00:00.000'),
  ('wh_2', 'prt_002', 'RIG', 0, 6, '2026-02-20 08:00:00.000'),
  ('wh_2', 'prt_003', 'RIG', 24, 6, '2026-02-20 08:00:00.000'),
  ('wh_2', 'prt_004', 'RIG', 5, 6, '2026-02-20 08:00:00.000'),
  ('wh_2', 'prt_005', 'RIG', 24, 6, '2026-02-20 08:00:00.000'),
  ('wh_2', 'prt_006', 'RIG', 14, 6, '2026-02-20 08:00:00.000'),
  ('wh_2', 'prt_007', 'RIG', 5, 6, '2026-02-20 08:00:00.000'),
  ('wh_2', 'prt_008', 'RIG', 6, 6, '2026-02-20 08:00:00.000'),
  ('wh_2', 'prt_009', 'ROPE', 0, 4, '2026-02-20 08:00:00.000'),
  ('wh_2', 'prt_010', 'ROPE', 3, 4, '2026-02-20 08:00:00.000'),
  ('wh_2', 'prt_011', 'ROPE', 5, 4, '2026-02-20 08:00:00.000'),
  ('wh_2', 'prt_012', 'ROPE', 5, 4, '2026-02-20 08:00:00.000'),
  ('wh_2', 'prt_013', 'ROPE', 6, 4, '2026-02-20 08:00:00.000'),
  ('wh_2', 'prt_014', 'PUMP', 2, 4, '2026-02-20 08:00:00.000'),
  ('wh_2', 'prt_015', 'PUMP', 2, 4, '2026-02-20 08:00:00.000'),
  ('wh_2', 'prt_016', 'PUMP', 0, 4, '2026-02-20 08:00:00.000'),
  ('wh_2', 'prt_017', 'PUMP', 8, 4, '2026-02-20 08:00:00.000'),
  ('wh_2', 'prt_018', 'PUMP', 6, 4, '2026-02-20 08:00:00.000'),
  ('wh_2', 'prt_019', 'PUMP', 14, 4, '2026-02-20 08:00:00.000'),
  ('wh_2', 'prt_020', 'ELEC', 9, 4, '2026-02-20 08:00:00.000'),
  ('wh_2', 'prt_021', 'ELEC', 24, 4, '2026-02-20 08:00:00.000'),
  ('wh_2', 'prt_022', 'ELEC', 6, 4, '2026-02-20 08:00:00.000'),
  ('wh_2', 'prt_023', 'ELEC', 24, 4, '2026-02-20 08:00:00.000'),
  ('wh_2', 'prt_024', 'ELEC', 11, 4, '2026-02-20 08:00:00.000'),
  ('wh_2', 'prt_025', 'COAT', 5, 8, '2026-02-20 08:00:00.000'),
  ('wh_2', 'prt_026', 'COAT', 2, 8, '2026-02-20 08:00:00.000'),
  ('wh_2', 'prt_027', 'COAT', 8, 8, '2026-02-20 08:00:00.000'),
  ('wh_2', 'prt_028', 'COAT', 11, 8, '2026-02-20 08:00:00.000'),
  ('wh_3', 'prt_001', 'RIG', 6, 6, '2026-02-20 08:00:00.000'),
  ('wh_3', 'prt_002', 'RIG', 14, 6, '2026-02-20 08:00:00.000'),
  ('wh_3', 'prt_003', 'RIG', 3, 6, '2026-02-20 08:00:00.000'),
  ('wh_3', 'prt_004', 'RIG', 14, 6, '2026-02-20 08:00:00.000'),
  ('wh_3', 'prt_005', 'RIG', 2, 6, '2026-02-20 08:00:00.000'),
  ('wh_3', 'prt_006', 'RIG', 6, 6, '2026-02-20 08:00:00.000'),
  ('wh_3', 'prt_007', 'RIG', 2, 6, '2026-02-20 08:00:00.000'),
  ('wh_3', 'prt_008', 'RIG', 18, 6, '2026-02-20 08:00:00.000'),
  ('wh_3', 'prt_009', 'ROPE', 14, 4, '2026-02-20 08:00:00.000'),
  ('wh_3', 'prt_010', 'ROPE', 24, 4, '2026-02-20 08:00:00.000'),
  ('wh_3', 'prt_011', 'ROPE', 11, 4, '2026-02-20 08:00:00.000'),
  ('wh_3', 'prt_012', 'ROPE', 9, 4, '2026-02-20 08:00:00.000'),
  ('wh_3', 'prt_013', 'ROPE', 6, 4, '2026-02-20 08:00:00.000'),
  ('wh_3', 'prt_014', 'PUMP', 18, 4, '2026-02-20 08:00:00.000'),
  ('wh_3', 'prt_015', 'PUMP', 18, 4, '2026-02-20 08:00:00.000'),
  ('wh_3', 'prt_016', 'PUMP', 8, 4, '2026-02-20 08:00:00.000'),
  ('wh_3', 'prt_017', 'PUMP', 0, 4, '2026-02-20 08:00:00.000'),
  ('wh_3', 'prt_018', 'PUMP', 24, 4, '2026-02-20 08:00:00.000'),
  ('wh_3', 'prt_019', 'PUMP', 2, 4, '2026-02-20 08:00:00.000'),
  ('wh_3', 'prt_020', 'ELEC', 8, 4, '2026-02-20 08:00:00.000'),
  ('wh_3', 'prt_021', 'ELEC', 14, 4, '2026-02-20 08:00:00.000'),
  ('wh_3', 'prt_022', 'ELEC', 8, 4, '2026-02-20 08:00:00.000'),
  ('wh_3', 'prt_023', 'ELEC', 24, 4, '2026-02-20 08:00:00.000'),
  ('wh_3', 'prt_024', 'ELEC', 14, 4, '2026-02-20 08:00:00.000'),
  ('wh_3', 'prt_025', 'COAT', 18, 8, '2026-02-20 08:00:00.000'),
  ('wh_3', 'prt_026', 'COAT', 24, 8, '2026-02-20 08:00:00.000'),
  ('wh_3', 'prt_027', 'COAT', 24, 8, '2026-02-20 08:00:00.000'),
  ('wh_3', 'prt_028', 'COAT', 9, 8, '2026-02-20 08:00:00.000');

INSERT INTO sales_order VALUES
  ('ord_001', 'SO-20401', 'cus_004', 'delivered', 'own_van', 84.00, '2026-02-10', 'Ring ahead', '2026-02-20 08:00:00.000'),
  ('ord_002', 'SO-20402', 'cus_010', 'delivered', 'carrier', 25.60, '2026-02-19', NULL, '2026-02-20 08:00:00.000'),
  ('ord_003', 'SO-20403', 'cus_011', 'open', 'carrier', 78.00, '2026-02-09', NULL, '2026-02-20 08:00:00.000'),
  ('ord_004', 'SO-20404', 'cus_005', 'delivered', 'carrier', 364.00, '2026-02-18', 'Ring ahead', '2026-02-20 08:00:00.000'),
  ('ord_005', 'SO-20405', 'cus_007', 'picking', 'carrier', 103.80, '2026-02-08', NULL, '2026-02-20 08:00:00.000'),
  ('ord_006', 'SO-20406', 'cus_011', 'dispatched', 'own_van', 92.00, '2026-02-17', NULL, '2026-02-20 08:00:00.000'),
  ('ord_007', 'SO-20407', 'cus_007', 'delivered', 'carrier', 33.50, '2026-02-07', 'Gate code with the office', '2026-02-20 08:00:00.000'),
  ('ord_008', 'SO-20408', 'cus_004', 'picking', 'carrier', 56.80, '2026-02-16', NULL, '2026-02-20 08:00:00.000'),
  ('ord_009', 'SO-20409', 'cus_005', 'delivered', 'carrier', 144.00, '2026-02-06', 'Ring ahead', '2026-02-20 08:00:00.000'),
  ('ord_010', 'SO-20410', 'cus_004', 'delivered', 'carrier', 147.20, '2026-02-15', NULL, '2026-02-20 08:00:00.000'),
  ('ord_011', 'SO-20411', 'cus_007', 'picking', 'carrier', 217.20, '2026-02-05', 'Deliver before noon', '2026-02-20 08:00:00.000'),
  ('ord_012', 'SO-20412', 'cus_002', 'open', 'carrier', 78.00, '2026-02-14', NULL, '2026-02-20 08:00:00.000'),
  ('ord_013', 'SO-20413', 'cus_006', 'picking', 'carrier', 432.00, '2026-02-04', 'Deliver before noon', '2026-02-20 08:00:00.000'),
  ('ord_014', 'SO-20414', 'cus_002', 'delivered', 'carrier', 908.40, '2026-02-13', NULL, '2026-02-20 08:00:00.000'),
  ('ord_015', 'SO-20415', 'cus_007', 'dispatched', 'own_van', 656.00, '2026-02-03', 'Deliver before noon', '2026-02-20 08:00:00.000'),
  ('ord_016', 'SO-20416', 'cus_009', 'open', 'carrier', 256.00, '2026-02-12', 'Deliver before noon', '2026-02-20 08:00:00.000'),
  ('ord_017', 'SO-20417', 'cus_003', 'open', 'carrier', 1442.00, '2026-02-02', 'Deliver before noon', '2026-02-20 08:00:00.000'),
  ('ord_018', 'SO-20418', 'cus_001', 'picking', 'carrier', 14.20, '2026-02-11', NULL, '2026-02-20 08:00:00.000'),
  ('ord_019', 'SO-20419', 'cus_005', 'open', 'carrier', 1852.00, '2026-02-01', 'Ring ahead', '2026-02-20 08:00:00.000'),
  ('ord_020', 'SO-20420', 'cus_011', 'picking', 'carrier', 328.00, '2026-02-10', NULL, '2026-02-20 08:00:00.000'),
  ('ord_021', 'SO-20421', 'cus_008', 'open', 'carrier', 9.80, '2026-02-19', 'Superseded by SO-20422 at the customer''s request', '2026-02-20 08:00:00.000'),
  ('ord_022', 'SO-20422', 'cus_008', 'open', 'carrier', 136.00, '2026-02-09', 'Deliver before noon', '2026-02-20 08:00:00.000');

INSERT INTO order_line VALUES
  ('ord_001', 1, 'prt_004', 2, 42.00),
  ('ord_002', 1, 'prt_012', 4, 6.40),
  ('ord_003', 1, 'prt_028', 4, 19.50),
  ('ord_004', 1, 'prt_015', 4, 91.00),
  ('ord_005', 1, 'prt_017', 2, 33.50),
  ('ord_005', 2, 'prt_003', 2, 18.40),
  ('ord_006', 1, 'prt_018', 2, 46.00),
  ('ord_007', 1, 'prt_017', 1, 33.50),
  ('ord_008', 1, 'prt_001', 4, 14.20),
  ('ord_009', 1, 'prt_026', 2, 72.00),
  ('ord_010', 1, 'prt_026', 2, 72.00),
  ('ord_010', 2, 'prt_007', 1, 3.20),
  ('ord_011', 1, 'prt_006', 4, 54.30),
  ('ord_012', 1, 'prt_028', 4, 19.50),
  ('ord_013', 1, 'prt_026', 6, 72.00),
  ('ord_014', 1, 'prt_022', 4, 210.00),
  ('ord_014', 2, 'prt_002', 4, 17.10),
  ('ord_015', 1, 'prt_010', 4, 164.00),
  ('ord_016', 1, 'prt_009', 2, 128.00),
  ('ord_017', 1, 'prt_015', 2, 91.00),
  ('ord_017', 2, 'prt_022', 6, 210.00),
  ('ord_018', 1, 'prt_001', 1, 14.20),
  ('ord_019', 1, 'prt_022', 6, 210.00),
  ('ord_019', 2, 'prt_025', 4, 148.00),
  ('ord_020', 1, 'prt_010', 2, 164.00),
  ('ord_021', 1, 'prt_008', 1, 9.80),
  ('ord_022', 1, 'prt_027', 4, 34.00);

INSERT INTO shipment VALUES
  ('shp_001', 'SH-7701', 'ord_001', 'Gannet Freight', 'delivered', '2026-02-19', '2026-02-20 08:00:00.000'),
  ('shp_002', 'SH-7702', 'ord_002', 'Coastline Vans', 'delivered', '2026-02-19', '2026-02-20 08:00:00.000'),
  ('shp_003', 'SH-7703', 'ord_004', 'Gannet Freight', 'delivered', '2026-02-19', '2026-02-20 08:00:00.000'),
  ('shp_004', 'SH-7704', 'ord_006', 'Gannet Freight', 'collected', '2026-02-19', '2026-02-20 08:00:00.000'),
  ('shp_005', 'SH-7705', 'ord_007', 'Gannet Freight', 'delivered', '2026-02-19', '2026-02-20 08:00:00.000'),
  ('shp_006', 'SH-7706', 'ord_009', 'Gannet Freight', 'delivered', '2026-02-19', '2026-02-20 08:00:00.000'),
  ('shp_007', 'SH-7707', 'ord_010', 'Coastline Vans', 'delivered', '2026-02-19', '2026-02-20 08:00:00.000'),
  ('shp_008', 'SH-7708', 'ord_012', 'Gannet Freight', 'booked', '2026-02-19', '2026-02-20 08:00:00.000'),
  ('shp_009', 'SH-7709', 'ord_014', 'Gannet Freight', 'delivered', '2026-02-19', '2026-02-20 08:00:00.000'),
  ('shp_010', 'SH-7710', 'ord_015', 'Coastline Vans', 'collected', '2026-02-19', '2026-02-20 08:00:00.000'),
  ('shp_011', 'SH-7711', 'ord_021', 'Coastline Vans', 'booked', '2026-02-19', '2026-02-20 08:00:00.000');

INSERT INTO credit_note VALUES
  ('crn_001', 'CN-551', 'ord_003', 40.00, 'Late delivery', '2026-02-04 10:30:00.000'),
  ('crn_002', 'CN-552', 'ord_007', 23.40, 'Damaged packaging', '2026-02-06 10:30:00.000'),
  ('crn_003', 'CN-553', 'ord_010', 112.00, 'Wrong size sent', '2026-02-08 10:30:00.000'),
  ('crn_004', 'CN-554', 'ord_014', 15.50, 'Price query', '2026-02-10 10:30:00.000');

INSERT INTO purchase_order VALUES
  ('po_001', 'PO-10435', 'sup_05', 'received', 0, NULL, 535.14, 'Rope, winter', NULL, '2026-02-20 08:00:00.000'),
  ('po_002', 'PO-10436', 'sup_01', 'received', 0, NULL, 1219.96, 'Chain and thimbles', NULL, '2026-02-20 08:00:00.000'),
  ('po_003', 'PO-10437', 'sup_07', 'received', 1, 'stf_04', 2368.34, 'Lamps and fuses', NULL, '2026-02-20 08:00:00.000'),
  ('po_004', 'PO-10438', 'sup_03', 'cancelled', 0, NULL, 2942.77, 'Sailcloth, spring', NULL, '2026-02-20 08:00:00.000'),
  ('po_005', 'PO-10439', 'sup_08', 'received', 0, NULL, 2189.19, 'Antifouling, early', NULL, '2026-02-20 08:00:00.000'),
  ('po_006', 'PO-10440', 'sup_02', 'sent', 0, NULL, 1559.18, 'Fenders, restock', '2026-03-08', '2026-02-20 08:00:00.000'),
  ('po_007', 'PO-10441', 'sup_06', 'received', 0, NULL, 3139.52, 'Pump spares', NULL, '2026-02-20 08:00:00.000'),
  ('po_008', 'PO-10442', 'sup_05', 'sent', 0, NULL, 1840.00, 'Rope, spring', '2026-03-10', '2026-02-20 08:00:00.000'),
  ('po_009', 'PO-10443', 'sup_04', 'sent', 0, NULL, 2736.01, 'Shackles, restock', '2026-03-11', '2026-02-20 08:00:00.000'),
  ('po_010', 'PO-10444', 'sup_01', 'draft', 0, NULL, 3163.50, 'Turnbuckles', NULL, '2026-02-20 08:00:00.000'),
  ('po_011', 'PO-10445', 'sup_06', 'sent', 0, NULL, 1011.32, 'Float switches', '2026-03-13', '2026-02-20 08:00:00.000'),
  ('po_012', 'PO-10446', 'sup_07', 'ready', 0, NULL, 2112.00, 'Battery chargers', '2026-03-14', '2026-02-20 08:00:00.000'),
  ('po_013', 'PO-10447', 'sup_08', 'draft', 0, NULL, 2378.42, 'Varnish, summer', NULL, '2026-02-20 08:00:00.000'),
  ('po_014', 'PO-10448', 'sup_04', 'ready', 1, NULL, 18450.00, 'Bronze castings, spring refit', '2026-03-16', '2026-02-20 08:00:00.000');
