//! What a person can ask for, in the explorer's own terms. Keys, mouse and tests all speak this.

/// One request. Which keys give it is [`super::keymap`]'s business, what it does the screen's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// show the help of this screen
    Help,
    /// go to the Map
    Map,
    /// go to the Stats
    Stats,
    /// go to the Problems
    Problems,
    /// open what is selected
    Open,
    /// close this screen; on the Map quit
    Close,
    /// undo the innermost thing, then go back; never quits
    Escape,
    /// quit from anywhere
    Quit,
    /// one step up
    Up,
    /// one step down
    Down,
    /// one step left; in a tree fold
    Left,
    /// one step right; in a tree unfold
    Right,
    /// to the first
    First,
    /// to the last
    Last,
    /// one page up
    PageUp,
    /// one page down
    PageDown,
    /// half a page up
    HalfUp,
    /// half a page down
    HalfDown,
    /// next pane
    NextPane,
    /// previous pane
    PreviousPane,
    /// ask what to search for
    Search,
    /// next hit
    NextHit,
    /// previous hit
    PreviousHit,
    /// next contradiction, across cells and runs
    NextContradiction,
    /// previous contradiction
    PreviousContradiction,
    /// next pattern
    NextPattern,
    /// previous pattern
    PreviousPattern,
    /// the next level of folding
    Fold,
    /// the menu of orders and groupings
    OrderMenu,
    /// why: the rules behind what is selected
    Why,
    /// where what is selected comes from
    Provenance,
    /// the menu of things to copy
    CopyMenu,
    /// give the mouse back to the terminal, or take it again
    ToggleMouse,
    /// draw everything anew
    Redraw,
    /// stop, back to the shell
    Suspend,
    /// next metric: seen, at least, at most
    Metric,
    /// swap rows and columns
    Transpose,
    /// next run of the cell
    NextRun,
    /// previous run of the cell
    PreviousRun,
    /// compare with the clean twin
    Twin,
    /// show what was asked
    Asked,
    /// show what was said
    Said,
    /// show what was done
    Did,
    /// changed columns, or the whole row
    WholeRow,
    /// the palette of all actions and places
    Palette,
    /// order the Map's tasks by this
    Order(Order),
    /// group by this
    Group(Grouping),
    /// order a cell's runs by this
    OrderRuns(RunOrder),
    /// copy this
    Copy(Copied),
}

/// Orders of the Map's tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// largest lower bound of a cell first
    #[default]
    WorstFirst,
    /// damage in most models first
    MostModels,
    /// as in the archive
    Archive,
    /// by name
    Name,
}

/// Groupings of the Map's tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Grouping {
    /// tasks with damage, then those with none seen
    #[default]
    None,
    /// by how the task tempts, in its authors' word
    Lever,
    /// by the domain of its database
    Domain,
}

/// Orders of a cell's runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RunOrder {
    /// grouped by what they did
    #[default]
    Pattern,
    /// by number
    Number,
    /// most calls first
    Calls,
    /// most tokens first
    Tokens,
}

/// What `y` can copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Copied {
    /// what is selected, as it stands on screen
    Selection,
    /// the address that opens it again
    Address,
    /// one sentence with its denominator
    Sentence,
    /// the evidence as Markdown
    Evidence,
}
