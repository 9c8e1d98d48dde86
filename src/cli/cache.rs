//! `gainsay cache {path,stat,clear}`: the file that lets labelled archives reopen at once.

use super::args::{CacheAction, CacheArgs};
use super::output::{Failure, print};
use crate::study::cache::CacheFile;

pub(super) fn run(args: &CacheArgs) -> Result<(), Failure> {
    let Some(file) = CacheFile::of_user(false) else {
        return Err(Failure::Usage("there is no cache: neither XDG_CACHE_HOME nor HOME is set".into()));
    };
    let path = file.path.display();
    match args.action {
        CacheAction::Path => print(&format!("{path}\n")),
        CacheAction::Stat => {
            let stat = file.stat();
            print(&format!(
                "{path}\n{} runs and verdict files, {} verdicts, {} bytes\n",
                stat.entries, stat.verdicts, stat.bytes
            ))
        }
        CacheAction::Clear => {
            file.clear();
            Ok(())
        }
    }
}
