//! Colour by meaning. No screen or widget names a colour: it asks for what it wants to say.
//!
//! Two accents carry the story: [`Theme::did`] for what the database did, [`Theme::said`] for what was
//! said. Everything else is text, dimmed text, and emphasis. Without colours (`NO_COLOR`) neither
//! foreground nor background is ever set: bold, dim, underlined and reversed must do, and all that colour
//! says is also said by a character.

mod detect;
mod heat;

pub use detect::{Depth, ThemeChoice};
pub use heat::{HEAT_STEPS, heat_step};

use ratatui::style::{Color, Modifier, Style};

use heat::Palette;

/// Every style of the explorer.
#[derive(Clone, Debug)]
pub struct Theme {
    /// what the database did: damage, new values, the row
    pub did: Style,
    /// what was said: refusals, the final message
    pub said: Style,
    /// a value or row that came
    pub added: Style,
    /// a value or row that went
    pub removed: Style,
    /// ordinary text
    pub text: Style,
    /// text that steps back: zeros, labels, what is not compared
    pub dim: Style,
    /// names and numbers that lead
    pub strong: Style,
    /// headings
    pub heading: Style,
    /// rules and separators
    pub rule: Style,
    /// keys in hints and help
    pub key: Style,
    /// the selected thing
    pub selected: Style,
    /// the row and column of the selected thing
    pub crosshair: Style,
    /// a hit of a search
    pub hit: Style,
    /// something is not as it should be
    pub warning: Style,
    /// Only ASCII characters may leave.
    pub ascii: bool,
    heat: [Style; HEAT_STEPS],
    blocks: [Style; HEAT_STEPS],
}

impl Theme {
    /// The theme for what the terminal can do.
    #[must_use]
    pub fn new(choice: ThemeChoice, depth: Depth, ascii: bool) -> Self {
        let light = choice == ThemeChoice::Light;
        let mut theme = match (choice, depth) {
            (ThemeChoice::Mono, _) | (_, Depth::Mono) => Self::mono(),
            (_, Depth::Sixteen) => Self::coloured(&Palette::sixteen(light)),
            (_, Depth::Indexed) => Self::coloured(&Palette::indexed(light)),
            (_, Depth::True) => Self::coloured(&Palette::true_colour(light)),
        };
        theme.ascii = ascii;
        theme
    }

    /// The theme the environment asks for.
    #[must_use]
    pub fn detect(choice: ThemeChoice, ascii: bool) -> Self {
        let variable = |name: &str| std::env::var(name).ok();
        Self::new(
            detect::background(choice, &variable),
            detect::depth(choice, &variable),
            ascii || detect::ascii(&variable),
        )
    }

    /// The fill of a step of the heat scale. Its text is readable on it.
    #[must_use]
    pub fn heat(&self, step: usize) -> Style {
        self.heat.get(step).copied().unwrap_or_default()
    }

    /// The block beside a count on such a fill: on colours a quiet one, since the fill says the same.
    #[must_use]
    pub fn block(&self, step: usize) -> Style {
        self.blocks.get(step).copied().unwrap_or_default()
    }

    fn coloured(palette: &Palette) -> Self {
        let fg = |colour: Color| Style::new().fg(colour);
        let mut heat = [Style::new(); HEAT_STEPS];
        for (style, (fill, ink)) in heat.iter_mut().skip(1).zip(palette.heat) {
            *style = Style::new().bg(fill).fg(ink);
        }
        let mut blocks = heat;
        let fills = palette.heat.map(|(fill, _)| fill);
        // The next step's colour, and the last but one on the last.
        let quiet = fills.iter().skip(1).chain(fills.iter().rev().nth(1));
        for (style, fill) in blocks.iter_mut().skip(1).zip(quiet) {
            if palette.quiet_blocks {
                style.fg = Some(*fill);
            }
        }
        if let Some(none) = heat.first_mut() {
            *none = fg(palette.dim);
        }
        Self {
            did: fg(palette.did),
            said: fg(palette.said),
            added: fg(palette.did).add_modifier(Modifier::BOLD),
            removed: fg(palette.removed),
            text: Style::new(),
            dim: fg(palette.dim),
            strong: Style::new().add_modifier(Modifier::BOLD),
            heading: fg(palette.heading).add_modifier(Modifier::BOLD),
            rule: fg(palette.rule),
            key: Style::new().add_modifier(Modifier::BOLD),
            selected: Style::new().bg(palette.selected).fg(palette.selected_ink).add_modifier(Modifier::BOLD),
            crosshair: Style::new().add_modifier(Modifier::BOLD),
            hit: Style::new().add_modifier(Modifier::UNDERLINED | Modifier::BOLD),
            warning: fg(palette.warning),
            ascii: false,
            heat,
            blocks,
        }
    }

    fn mono() -> Self {
        let plain = Style::new();
        let bold = plain.add_modifier(Modifier::BOLD);
        let dim = plain.add_modifier(Modifier::DIM);
        Self {
            did: bold,
            said: plain.add_modifier(Modifier::UNDERLINED),
            added: bold,
            removed: dim,
            text: plain,
            dim,
            strong: bold,
            heading: bold,
            rule: dim,
            key: bold,
            selected: plain.add_modifier(Modifier::REVERSED),
            crosshair: bold,
            hit: plain.add_modifier(Modifier::UNDERLINED | Modifier::BOLD),
            warning: bold,
            ascii: false,
            heat: [dim, plain, plain, plain, bold, bold],
            blocks: [dim, plain, plain, plain, bold, bold],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mono_sets_no_colour_at_all() {
        let theme = Theme::new(ThemeChoice::Dark, Depth::Mono, false);
        let mut styles = vec![
            theme.did,
            theme.said,
            theme.added,
            theme.removed,
            theme.text,
            theme.dim,
            theme.strong,
            theme.heading,
            theme.rule,
            theme.key,
            theme.selected,
            theme.crosshair,
            theme.hit,
            theme.warning,
        ];
        styles.extend((0..HEAT_STEPS).flat_map(|step| [theme.heat(step), theme.block(step)]));
        for style in styles {
            assert_eq!((style.fg, style.bg, style.underline_color), (None, None, None));
        }
    }

    #[test]
    fn the_two_accents_differ_everywhere() {
        for depth in [Depth::Mono, Depth::Sixteen, Depth::Indexed, Depth::True] {
            for choice in [ThemeChoice::Dark, ThemeChoice::Light] {
                let theme = Theme::new(choice, depth, false);
                assert_ne!(theme.did, theme.said);
                assert_ne!(theme.did, theme.dim);
            }
        }
    }
}
