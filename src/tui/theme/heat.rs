//! The heat scale and the palettes.
//!
//! Steps are absolute, never stretched to an archive: a colour means the same rate everywhere. One hue
//! from dark to bright (dark themes) or bright to dark (light themes), so order reads by lightness alone
//! and colour-blind people lose nothing. No green: nothing here is "good".

use ratatui::style::Color;

/// `none · ≤.125 · ≤.25 · ≤.50 · ≤.75 · >.75`.
pub const HEAT_STEPS: usize = 6;

/// The step of a rate: 0 only for exactly none.
#[must_use]
pub fn heat_step(rate: f64) -> usize {
    if rate <= 0.0 {
        return 0;
    }
    1 + [0.125, 0.25, 0.5, 0.75].iter().filter(|edge| rate > **edge).count()
}

/// The colours a theme is made of.
pub(super) struct Palette {
    pub did: Color,
    pub said: Color,
    pub removed: Color,
    pub dim: Color,
    pub heading: Color,
    pub rule: Color,
    pub selected: Color,
    pub selected_ink: Color,
    pub warning: Color,
    /// Fills tell the steps apart, so blocks may step back.
    pub quiet_blocks: bool,
    /// Fill and ink of steps 1 to 5.
    pub heat: [(Color, Color); HEAT_STEPS - 1],
}

const BLACK: Color = Color::Rgb(0, 0, 0);
const WHITE: Color = Color::Rgb(255, 255, 255);

impl Palette {
    pub(super) fn true_colour(light: bool) -> Self {
        let rgb = |hex: u32| Color::Rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8);
        if light {
            Self {
                did: rgb(0x00a3_4700),
                said: rgb(0x0000_5ea8),
                removed: rgb(0x007a_5c4a),
                dim: rgb(0x006b_6b6b),
                heading: rgb(0x0040_4040),
                rule: rgb(0x00b8_b8b8),
                selected: rgb(0x00c9_dcf0),
                selected_ink: rgb(0x0010_1010),
                warning: rgb(0x008a_5a00),
                quiet_blocks: true,
                heat: [0x00f6_b26b, 0x00e0_7a2a, 0x00b8_5410, 0x0088_3a0b, 0x005c_2506]
                    .map(|fill| with_ink(rgb(fill))),
            }
        } else {
            Self {
                did: rgb(0x00f2_9a4a),
                said: rgb(0x006c_b6eb),
                removed: rgb(0x00b0_9384),
                dim: rgb(0x0085_8585),
                heading: rgb(0x00c8_c8c8),
                rule: rgb(0x0050_5050),
                selected: rgb(0x002f_4a66),
                selected_ink: rgb(0x00f4_f4f4),
                warning: rgb(0x00e3_c15a),
                quiet_blocks: true,
                heat: [0x0080_3e14, 0x00ae_5417, 0x00d9_701f, 0x00f2_9f45, 0x00fc_d394]
                    .map(|fill| with_ink(rgb(fill))),
            }
        }
    }

    pub(super) fn indexed(light: bool) -> Self {
        let ix = Color::Indexed;
        if light {
            Self {
                did: ix(130),
                said: ix(25),
                removed: ix(95),
                dim: ix(242),
                heading: ix(238),
                rule: ix(250),
                selected: ix(153),
                selected_ink: ix(16),
                warning: ix(94),
                quiet_blocks: true,
                heat: [215, 208, 166, 94, 52].map(|fill| with_ink(ix(fill))),
            }
        } else {
            Self {
                did: ix(215),
                said: ix(75),
                removed: ix(138),
                dim: ix(245),
                heading: ix(251),
                rule: ix(240),
                selected: ix(24),
                selected_ink: ix(231),
                warning: ix(179),
                quiet_blocks: true,
                heat: [94, 130, 166, 208, 222].map(|fill| with_ink(ix(fill))),
            }
        }
    }

    /// Sixteen colours look different in every terminal, so fills are few and blocks carry the rate.
    pub(super) fn sixteen(light: bool) -> Self {
        let (did, said, dim) = if light {
            (Color::Red, Color::Blue, Color::DarkGray)
        } else {
            (Color::Yellow, Color::LightBlue, Color::DarkGray)
        };
        Self {
            did,
            said,
            removed: dim,
            dim,
            heading: Color::Reset,
            rule: dim,
            selected: Color::Blue,
            selected_ink: Color::White,
            warning: Color::Magenta,
            quiet_blocks: false,
            heat: [
                (Color::Reset, did),
                (Color::Reset, did),
                (Color::Yellow, Color::Black),
                (Color::Yellow, Color::Black),
                (Color::LightYellow, Color::Black),
            ],
        }
    }
}

/// A fill with black or white text, whichever reads better.
fn with_ink(fill: Color) -> (Color, Color) {
    let ink = if contrast(fill, BLACK) >= contrast(fill, WHITE) { BLACK } else { WHITE };
    let ink = match (fill, ink) {
        (Color::Indexed(_), BLACK) => Color::Indexed(16),
        (Color::Indexed(_), _) => Color::Indexed(231),
        (_, ink) => ink,
    };
    (fill, ink)
}

/// Contrast of two colours as WCAG 2.2 defines it, 1 to 21.
fn contrast(a: Color, b: Color) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Relative luminance as WCAG 2.2 defines it.
fn luminance(colour: Color) -> f64 {
    let channel = |value: u8| {
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    let (r, g, b) = components(colour);
    0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b)
}

/// The colour's components; for the upper 240 of 256 colours those of xterm's cube and greys.
fn components(colour: Color) -> (u8, u8, u8) {
    match colour {
        Color::Rgb(r, g, b) => (r, g, b),
        Color::Indexed(index @ 16..=231) => {
            let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
            let index = index - 16;
            (level(index / 36), level(index / 6 % 6), level(index % 6))
        }
        Color::Indexed(index @ 232..) => {
            let grey = 8 + 10 * (index - 232);
            (grey, grey, grey)
        }
        _ => (0, 0, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_absolute_and_their_upper_edges_belong_to_them() {
        let rates = [0.0, 0.01, 0.125, 0.126, 0.25, 0.5, 0.51, 0.75, 0.76, 1.0];
        assert_eq!(rates.map(heat_step), [0, 1, 1, 2, 2, 3, 4, 4, 5, 5]);
    }

    #[test]
    fn text_on_a_filled_cell_is_readable() {
        for light in [false, true] {
            for palette in [Palette::true_colour(light), Palette::indexed(light)] {
                for (fill, ink) in palette.heat {
                    assert!(contrast(fill, ink) >= 4.5, "{fill:?} {ink:?} {}", contrast(fill, ink));
                }
                assert!(contrast(palette.selected, palette.selected_ink) >= 4.5);
            }
        }
    }

    #[test]
    fn the_scale_reads_by_lightness_alone() {
        for (light, ground) in [(false, Color::Rgb(18, 18, 18)), (true, WHITE)] {
            for palette in [Palette::true_colour(light), Palette::indexed(light)] {
                let mut steps = vec![luminance(ground)];
                steps.extend(palette.heat.iter().map(|(fill, _)| luminance(*fill)));
                let rising = |pair: &[f64]| if light { pair[0] > pair[1] } else { pair[0] < pair[1] };
                assert!(steps.windows(2).all(rising), "{steps:?}");
            }
        }
    }

    #[test]
    fn the_largest_step_is_from_none_to_some() {
        for (light, ground) in [(false, Color::Rgb(18, 18, 18)), (true, WHITE)] {
            let palette = Palette::true_colour(light);
            let mut fills = vec![ground];
            fills.extend(palette.heat.iter().map(|(fill, _)| *fill));
            let jumps: Vec<_> = fills.windows(2).map(|pair| contrast(pair[0], pair[1])).collect();
            assert!(jumps[1..].iter().all(|jump| *jump < jumps[0]), "{jumps:?}");
        }
    }

    #[test]
    fn accents_are_readable_on_their_ground_and_nothing_is_green() {
        for (light, ground) in [(false, Color::Rgb(30, 30, 30)), (true, WHITE)] {
            for palette in [Palette::true_colour(light), Palette::indexed(light)] {
                for colour in [palette.did, palette.said, palette.dim, palette.removed, palette.warning] {
                    assert!(contrast(colour, ground) >= 4.0, "{colour:?} {}", contrast(colour, ground));
                    let (r, g, b) = components(colour);
                    assert!(g <= r.max(b), "{colour:?}");
                }
            }
        }
    }
}
