//! What the terminal can show, from the environment.

/// Which theme a person asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ThemeChoice {
    /// what the environment says
    #[default]
    Auto,
    /// light text on a dark ground
    Dark,
    /// dark text on a light ground
    Light,
    /// no colours
    Mono,
}

/// How many colours a terminal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Depth {
    /// none, or none wanted
    Mono,
    /// the sixteen
    Sixteen,
    /// the 256 of xterm
    Indexed,
    /// 24 bit
    True,
}

/// Reads an environment variable.
type Variable<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Colours: none with `NO_COLOR`, a dumb terminal, or the mono theme.
pub(super) fn depth(choice: ThemeChoice, variable: Variable) -> Depth {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    let term = set("TERM").unwrap_or_default();
    // The terminal library drops colours when NO_COLOR is set, and with them the emphasis that was meant
    // to be left. So NO_COLOR means mono, whatever else was asked for.
    if choice == ThemeChoice::Mono
        || set("NO_COLOR").is_some()
        || matches!(&*term, "dumb" | "vt100" | "vt220")
    {
        return Depth::Mono;
    }
    let colorterm = set("COLORTERM").unwrap_or_default();
    if matches!(&*colorterm, "truecolor" | "24bit") || term.ends_with("-direct") {
        return Depth::True;
    }
    if term.contains("256color") || ["kitty", "alacritty", "wezterm", "ghostty", "foot"].contains(&&*term) {
        return Depth::Indexed;
    }
    Depth::Sixteen
}

/// Dark or light: `COLORFGBG`'s last number, where a terminal sets it; else dark.
pub(super) fn background(choice: ThemeChoice, variable: Variable) -> ThemeChoice {
    if choice != ThemeChoice::Auto {
        return choice;
    }
    let ground = variable("COLORFGBG").and_then(|value| value.rsplit(';').next()?.parse::<u8>().ok());
    match ground {
        Some(7 | 15) => ThemeChoice::Light,
        _ => ThemeChoice::Dark,
    }
}

/// True if characters beyond ASCII may not come out: the Linux console, or a locale without UTF-8.
pub(super) fn ascii(variable: Variable) -> bool {
    if variable("TERM").is_some_and(|term| term == "linux") {
        return true;
    }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| variable(name).filter(|value| !value.is_empty()));
    // No locale at all is usual in containers, whose terminals do show UTF-8.
    locale.is_some_and(|locale| {
        let locale = locale.to_ascii_lowercase();
        !locale.contains("utf-8") && !locale.contains("utf8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with<'a>(pairs: &'a [(&'a str, &'a str)]) -> impl Fn(&str) -> Option<String> + 'a {
        |name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
    }

    #[test]
    fn no_color_wins() {
        let vars = with(&[("NO_COLOR", "1"), ("COLORTERM", "truecolor"), ("TERM", "xterm-256color")]);
        assert_eq!(depth(ThemeChoice::Dark, &vars), Depth::Mono);
        let vars = with(&[("NO_COLOR", ""), ("COLORTERM", "truecolor")]);
        assert_eq!(depth(ThemeChoice::Auto, &vars), Depth::True);
    }

    #[test]
    fn depth_follows_the_terminal() {
        for (term, expected) in [
            ("xterm-256color", Depth::Indexed),
            ("tmux-256color", Depth::Indexed),
            ("xterm", Depth::Sixteen),
            ("linux", Depth::Sixteen),
            ("dumb", Depth::Mono),
        ] {
            assert_eq!(depth(ThemeChoice::Auto, &with(&[("TERM", term)])), expected, "{term}");
        }
    }

    #[test]
    fn ascii_where_utf8_is_not_to_be_had() {
        assert!(ascii(&with(&[("TERM", "linux"), ("LANG", "en_GB.UTF-8")])));
        assert!(ascii(&with(&[("LC_ALL", "POSIX"), ("LANG", "en_GB.UTF-8")])));
        assert!(!ascii(&with(&[("LANG", "C.utf8")])));
        assert!(!ascii(&with(&[])));
    }

    #[test]
    fn a_light_ground_is_noticed() {
        assert_eq!(background(ThemeChoice::Auto, &with(&[("COLORFGBG", "0;15")])), ThemeChoice::Light);
        assert_eq!(background(ThemeChoice::Auto, &with(&[("COLORFGBG", "15;0")])), ThemeChoice::Dark);
        assert_eq!(background(ThemeChoice::Light, &with(&[])), ThemeChoice::Light);
    }
}
