//! Databases as large as the field's.

use crate::synthetic::{Shape, shapes};

/// Customer service, as large as the field's: 18 tables, 10,633 rows, 2.6 MB.
pub fn large() -> Vec<Shape> {
    let sizes = [
        (52, 8),
        (527, 4),
        (2464, 9),
        (124, 8),
        (153, 9),
        (1232, 18),
        (431, 10),
        (300, 9),
        (1232, 10),
        (369, 12),
        (906, 9),
        (733, 8),
        (240, 9),
        (12, 9),
        (17, 3),
        (802, 10),
        (80, 7),
        (959, 4),
    ];
    shapes(&sizes)
}

/// IT service, as large as the field's: 24 tables, 69 KB.
pub fn small() -> Vec<Shape> {
    shapes(&[(10, 12); 24])
}
