//! The one table of keys. Dispatch, the hint bar, the help screen and the README's list come from it.

use super::action::{Action, Copied, Grouping, Order, RunOrder};
use super::key::Key;

/// Where a key has its meaning. A screen's own bindings win over those of [`Context::All`]; a menu has
/// only its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Context {
    /// everywhere
    All,
    /// the Map
    Map,
    /// one cell
    Cell,
    /// one run
    Run,
    /// what a run was asked
    Asked,
    /// a run beside its twin
    Twin,
    /// the Stats
    Stats,
    /// the Problems
    Problems,
    /// the Help
    Help,
    /// the menu of the Map's orders
    OrderMenu,
    /// the menu of a cell's orders
    RunOrderMenu,
    /// the menu of things to copy
    CopyMenu,
}

/// Headings of the key lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// moving about
    Move,
    /// looking at things
    Look,
    /// getting text out
    Take,
    /// the program itself
    Program,
}

/// One line of the table.
#[derive(Debug)]
pub struct Binding {
    /// Where.
    pub context: Context,
    /// The keys; the first one stands in hints.
    pub keys: &'static [Key],
    /// What they ask for.
    pub action: Action,
    /// For the help screen, a few words.
    pub help: &'static str,
    /// Under which heading.
    pub group: Group,
}

const fn bind(
    context: Context,
    keys: &'static [Key],
    action: Action,
    group: Group,
    help: &'static str,
) -> Binding {
    Binding { context, keys, action, help, group }
}

use Context::{All, Asked, Cell, CopyMenu, Help, Map, OrderMenu, Problems, Run, RunOrderMenu, Stats, Twin};
use Group::{Look, Move, Program, Take};
use Key::{Char, Ctrl};

/// The table.
#[rustfmt::skip]
pub static BINDINGS: &[Binding] = &[
    bind(All, &[Char('k'), Key::Up], Action::Up, Move, "up"),
    bind(All, &[Char('j'), Key::Down], Action::Down, Move, "down"),
    bind(All, &[Char('h'), Key::Left], Action::Left, Move, "left, fold"),
    bind(All, &[Char('l'), Key::Right], Action::Right, Move, "right, unfold"),
    bind(All, &[Char('g'), Key::Home], Action::First, Move, "first"),
    bind(All, &[Char('G'), Key::End], Action::Last, Move, "last"),
    bind(All, &[Char(' '), Key::PageDown], Action::PageDown, Move, "page down"),
    bind(All, &[Char('b'), Key::PageUp], Action::PageUp, Move, "page up"),
    bind(All, &[Ctrl('d')], Action::HalfDown, Move, "half a page down"),
    bind(All, &[Ctrl('u')], Action::HalfUp, Move, "half a page up"),
    bind(All, &[Key::Enter], Action::Open, Move, "open what is selected"),
    bind(All, &[Char('q'), Key::Backspace], Action::Close, Move, "close this screen; on the Map quit"),
    bind(All, &[Key::Esc], Action::Escape, Move, "undo the innermost thing, then go back; never quits"),
    bind(All, &[Char('1')], Action::Map, Move, "Map"),
    bind(All, &[Char('3')], Action::Stats, Move, "Stats"),
    bind(All, &[Char('4')], Action::Problems, Move, "Problems"),
    bind(All, &[Char('/')], Action::Search, Move, "search here"),
    bind(All, &[Char('n')], Action::NextHit, Move, "next hit"),
    bind(All, &[Char('N')], Action::PreviousHit, Move, "previous hit"),
    bind(All, &[Char('e')], Action::NextContradiction, Move, "next contradiction, the most telling first"),
    bind(All, &[Char('E')], Action::PreviousContradiction, Move, "previous contradiction"),
    bind(Cell, &[Char('}'), Char('.')], Action::NextPattern, Move, "next pattern"),
    bind(Cell, &[Char('{'), Char(',')], Action::PreviousPattern, Move, "previous pattern"),
    bind(Cell, &[Char('J')], Action::NextRun, Move, "next run of the cell"),
    bind(Cell, &[Char('K')], Action::PreviousRun, Move, "previous run of the cell"),
    bind(Run, &[Key::Tab], Action::NextPane, Move, "next pane"),
    bind(Run, &[Key::BackTab], Action::PreviousPane, Move, "previous pane"),
    bind(Run, &[Char('}'), Char('.')], Action::NextPattern, Move, "first run of the next pattern"),
    bind(Run, &[Char('{'), Char(',')], Action::PreviousPattern, Move, "first run of the previous pattern"),
    bind(Stats, &[Key::Tab, Char('}'), Char('.')], Action::NextPane, Move, "next section"),
    bind(Stats, &[Key::BackTab, Char('{'), Char(',')], Action::PreviousPane, Move, "previous section"),
    bind(Run, &[Char('J')], Action::NextRun, Move, "next run of the cell"),
    bind(Run, &[Char('K')], Action::PreviousRun, Move, "previous run of the cell"),

    bind(Map, &[Char('m')], Action::Metric, Look, "metric: seen, at least, at most"),
    bind(Map, &[Char('o')], Action::OrderMenu, Look, "order and grouping"),
    bind(Map, &[Char('z')], Action::Fold, Look, "fold the tasks with none seen"),
    bind(Map, &[Char('t')], Action::Transpose, Look, "swap tasks and models"),
    bind(Cell, &[Char('o')], Action::OrderMenu, Look, "order of the runs"),
    bind(Cell, &[Char('z')], Action::Fold, Look, "fold patterns"),
    bind(Cell, &[Char('c')], Action::Twin, Look, "compare with the clean twin"),
    bind(Run, &[Char('a')], Action::Asked, Look, "what was asked"),
    bind(Run, &[Char('s')], Action::Said, Look, "what was said"),
    bind(Run, &[Char('d')], Action::Did, Look, "what was done"),
    bind(Run, &[Char('v')], Action::WholeRow, Look, "changed columns, whole row"),
    bind(Run, &[Char('w')], Action::Why, Look, "why: the rules behind what is selected"),
    bind(Run, &[Char('z')], Action::Fold, Look, "evidence only, the whole transcript"),
    bind(Run, &[Char('c')], Action::Twin, Look, "compare with the clean twin"),
    bind(Asked, &[Char('a')], Action::Asked, Look, "back to the run"),
    bind(Twin, &[Char('c')], Action::Twin, Look, "back"),
    bind(All, &[Char('i')], Action::Provenance, Look, "where it comes from"),

    bind(All, &[Char('y')], Action::CopyMenu, Take, "copy"),
    bind(All, &[Char('M')], Action::ToggleMouse, Take, "mouse on, off (off: the terminal selects text)"),

    bind(All, &[Char('?'), Key::F(1)], Action::Help, Program, "help"),
    bind(All, &[Char(':')], Action::Palette, Program, "palette: all actions and places, by name"),
    bind(All, &[Ctrl('l')], Action::Redraw, Program, "draw anew"),
    bind(All, &[Ctrl('z')], Action::Suspend, Program, "suspend"),
    bind(All, &[Char('Q'), Ctrl('c')], Action::Quit, Program, "quit from anywhere"),

    bind(OrderMenu, &[Char('w')], Action::Order(Order::WorstFirst), Look, "worst first"),
    bind(OrderMenu, &[Char('m')], Action::Order(Order::MostModels), Look, "most models hit"),
    bind(OrderMenu, &[Char('a')], Action::Order(Order::Archive), Look, "archive order"),
    bind(OrderMenu, &[Char('n')], Action::Order(Order::Name), Look, "name"),
    bind(OrderMenu, &[Char('0')], Action::Group(Grouping::None), Look, "no groups"),
    bind(OrderMenu, &[Char('l')], Action::Group(Grouping::Lever), Look, "group by lever"),
    bind(OrderMenu, &[Char('d')], Action::Group(Grouping::Domain), Look, "group by domain"),

    bind(RunOrderMenu, &[Char('p')], Action::OrderRuns(RunOrder::Pattern), Look, "by pattern"),
    bind(RunOrderMenu, &[Char('n')], Action::OrderRuns(RunOrder::Number), Look, "by run number"),
    bind(RunOrderMenu, &[Char('c')], Action::OrderRuns(RunOrder::Calls), Look, "most calls first"),
    bind(RunOrderMenu, &[Char('t')], Action::OrderRuns(RunOrder::Tokens), Look, "most tokens first"),

    bind(CopyMenu, &[Char('y')], Action::Copy(Copied::Selection), Take, "what is selected"),
    bind(CopyMenu, &[Char('a')], Action::Copy(Copied::Address), Take, "its address"),
    bind(CopyMenu, &[Char('s')], Action::Copy(Copied::Sentence), Take, "one sentence"),
    bind(CopyMenu, &[Char('e')], Action::Copy(Copied::Evidence), Take, "evidence as Markdown"),
];

/// What the hint bar of a screen offers, in order: actions whose keys stand together, and a word.
#[must_use]
pub fn hints(context: Context) -> &'static [(&'static [Action], &'static str)] {
    use Action as A;
    const ARROWS: &[Action] = &[A::Left, A::Down, A::Up, A::Right];
    const UP_DOWN: &[Action] = &[A::Down, A::Up];
    match context {
        Map => &[
            (ARROWS, "cell"),
            (&[A::Open], "open"),
            (&[A::NextContradiction], "contradiction"),
            (&[A::OrderMenu], "order"),
            (&[A::Metric], "metric"),
            (&[A::Fold], "fold"),
            (&[A::Search], "find"),
            (&[A::Help], "help"),
            (&[A::Transpose], "transpose"),
            (&[A::CopyMenu], "copy"),
            (&[A::Provenance], "source"),
            (&[A::Stats], "stats"),
            (&[A::Problems], "problems"),
            (&[A::Close], "quit"),
        ],
        Cell => &[
            (UP_DOWN, "run"),
            (&[A::Open], "open"),
            (&[A::Fold], "fold"),
            (&[A::NextContradiction], "contradiction"),
            (&[A::Twin], "twin"),
            (&[A::OrderMenu], "order"),
            (&[A::CopyMenu], "copy"),
            (&[A::Search], "find"),
            (&[A::Help], "help"),
            (&[A::Close], "back"),
        ],
        Run => &[
            (UP_DOWN, "row"),
            (&[A::NextPane], "pane"),
            (&[A::NextContradiction], "contradiction"),
            (&[A::NextRun, A::PreviousRun], "run"),
            (&[A::Said], "said"),
            (&[A::Did], "did"),
            (&[A::WholeRow], "whole row"),
            (&[A::Twin], "twin"),
            (&[A::Help], "help"),
            (&[A::Close], "back"),
        ],
        Asked => &[(UP_DOWN, "scroll"), (&[A::Help], "help"), (&[A::Close], "back")],
        Twin => &[
            (UP_DOWN, "scroll"),
            (&[A::Open], "open the twin"),
            (&[A::NextContradiction], "contradiction"),
            (&[A::Help], "help"),
            (&[A::Close], "back"),
        ],
        Stats => &[
            (&[A::NextPane], "section"),
            (UP_DOWN, "figure"),
            (&[A::Open], "what is behind it"),
            (&[A::CopyMenu], "copy"),
            (&[A::Search], "find"),
            (&[A::Help], "help"),
            (&[A::Close], "back"),
        ],
        Problems => &[
            (UP_DOWN, "problem"),
            (&[A::Open], "open its run"),
            (&[A::CopyMenu], "copy"),
            (&[A::Search], "find"),
            (&[A::Help], "help"),
            (&[A::Close], "back"),
        ],
        Help => &[(UP_DOWN, "scroll"), (&[A::Search], "find"), (&[A::Close], "back")],
        All | OrderMenu | RunOrderMenu | CopyMenu => &[],
    }
}

impl Context {
    /// All contexts, in the order they are listed.
    pub const EVERY: [Self; 12] =
        [All, Map, Cell, Run, Asked, Twin, Stats, Problems, Help, OrderMenu, RunOrderMenu, CopyMenu];

    /// Menus know only their own keys.
    #[must_use]
    pub fn is_menu(self) -> bool {
        self.opened_by().is_some()
    }

    /// Where a menu is opened, and what opens it.
    #[must_use]
    pub fn opened_by(self) -> Option<(Self, Action)> {
        match self {
            OrderMenu => Some((Map, Action::OrderMenu)),
            RunOrderMenu => Some((Cell, Action::OrderMenu)),
            CopyMenu => Some((All, Action::CopyMenu)),
            All | Map | Cell | Run | Asked | Twin | Stats | Problems | Help => None,
        }
    }

    /// Its name, for headings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            All => "Everywhere",
            Map => "Map",
            Cell => "Cell",
            Run => "Run",
            Asked => "Asked",
            Twin => "Twin",
            Stats => "Stats",
            Problems => "Problems",
            Help => "Help",
            OrderMenu | RunOrderMenu => "Order",
            CopyMenu => "Copy",
        }
    }
}

impl Group {
    /// All groups, in the order they are listed.
    pub const ALL: [Self; 4] = [Move, Look, Take, Program];

    /// Its heading.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Move => "Move",
            Look => "Look",
            Take => "Take along",
            Program => "Program",
        }
    }
}

impl Binding {
    /// Its keys as they are written.
    #[must_use]
    pub fn label(&self) -> String {
        self.keys.iter().map(|key| key.label()).collect::<Vec<_>>().join(" ")
    }
}

/// What a key asks for in a context.
#[must_use]
pub fn lookup(context: Context, key: Key) -> Option<Action> {
    let find = |context| {
        BINDINGS
            .iter()
            .find(|binding| binding.context == context && binding.keys.contains(&key))
            .map(|binding| binding.action)
    };
    find(context).or_else(|| if context.is_menu() { None } else { find(All) })
}

/// The first key that asks for an action in a context.
#[must_use]
pub fn key_of(context: Context, action: Action) -> Option<Key> {
    [context, All].into_iter().find_map(|context| {
        let binding =
            BINDINGS.iter().find(|binding| binding.context == context && binding.action == action)?;
        binding.keys.first().copied()
    })
}

/// The bindings of a context itself.
pub fn bindings(context: Context) -> impl Iterator<Item = &'static Binding> {
    BINDINGS.iter().filter(move |binding| binding.context == context)
}

/// The menus that can be opened in a context, each with the key that opens it.
pub fn menus(context: Context) -> impl Iterator<Item = (Context, Key)> {
    Context::EVERY.into_iter().filter_map(move |menu| {
        let (place, action) = menu.opened_by()?;
        let key = key_of(place, action)?;
        (place == context || place == All).then_some((menu, key))
    })
}

/// The table as Markdown, for the README: a list for each place, a row for each action.
#[must_use]
pub fn markdown() -> String {
    let mut lists = Vec::new();
    for context in Context::EVERY.into_iter().filter(|context| bindings(*context).next().is_some()) {
        let (title, first) = match context.opened_by() {
            None => (context.name().to_owned(), String::new()),
            Some((place, action)) => {
                let key = key_of(place, action).map_or(String::new(), |key| format!("`{}`", key.label()));
                (format!("{}, after {key}", place.name()), format!("{key} "))
            }
        };
        let mut list = format!("**{title}**\n\n| key | does |\n| --- | --- |\n");
        for binding in bindings(context) {
            let keys: Vec<_> = binding.keys.iter().map(|key| format!("`{}`", key.label())).collect();
            list.push_str(&format!("| {first}{} | {} |\n", keys.join(" "), binding.help));
        }
        lists.push(list);
    }
    lists.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_key_has_two_meanings_in_one_context() {
        for context in Context::EVERY {
            let mut seen = HashSet::new();
            for key in bindings(context).flat_map(|binding| binding.keys) {
                assert!(seen.insert(*key), "{context:?}: {key:?} twice");
                // A screen may not quietly take over a key that means something else everywhere.
                if context != All && !context.is_menu() {
                    assert_eq!(
                        bindings(All).find(|binding| binding.keys.contains(key)).map(|b| b.action),
                        None
                    );
                }
            }
        }
    }

    #[test]
    fn every_key_is_printable_or_one_that_all_terminals_send() {
        for key in BINDINGS.iter().flat_map(|binding| binding.keys) {
            let fine = match key {
                Key::Char(c) => c.is_ascii_graphic() || *c == ' ',
                Key::Ctrl(c) => "cdulz".contains(*c),
                Key::F(number) => *number == 1,
                Key::Delete => false,
                _ => true,
            };
            assert!(fine, "{key:?}");
        }
    }

    #[test]
    fn every_hint_has_its_key() {
        for context in Context::EVERY {
            for action in hints(context).iter().flat_map(|(actions, _)| *actions) {
                assert!(key_of(context, *action).is_some(), "{context:?}: {action:?}");
            }
        }
    }

    #[test]
    fn every_context_is_listed_and_every_menu_is_opened_by_a_key() {
        for binding in BINDINGS {
            assert!(Context::EVERY.contains(&binding.context), "{:?}", binding.context);
        }
        for (place, action) in Context::EVERY.into_iter().filter_map(Context::opened_by) {
            assert!(key_of(place, action).is_some(), "{place:?}: {action:?}");
        }
    }

    #[test]
    fn the_readme_lists_every_binding() {
        let markdown = markdown();
        let rows = markdown.lines().filter(|line| line.starts_with("| ") && line.contains('`'));
        assert_eq!(rows.count(), BINDINGS.len());
        assert!(markdown.contains("| `o` `w` | worst first |"), "{markdown}");
    }
}
