//! What the grammar of a shell says of a text.
//!
//! Everything but plain commands raises a doubt, and is walked into all the same: a rule that denies looks at
//! what stands inside of it. What is run through another program (`sudo rm`, `sh -c 'rm'`) is found too, as
//! far as the text tells.

use brush_parser::ast::{
    AndOr, AndOrList, AssignmentValue, Command, CommandPrefixOrSuffixItem, CompoundCommand,
    CompoundList, ExtendedTestExpr, IoFileRedirectKind, IoFileRedirectTarget, IoRedirect, Pipeline,
    SeparatorOperator, SimpleCommand, SubshellCommand, Word,
};
use brush_parser::word::{self, WordPiece, WordPieceWithSource};
use brush_parser::{ParserOptions, parse_tokens, uncached_tokenize_str};

use super::{Argv, TEXT_MAX, nests_deeply, program_name, runs_others};

/// How deep texts within texts are read.
const DEPTH_MAX: usize = 4;
/// Most commands that are looked at.
const FOUND_MAX: usize = 512;

/// What was seen on the way.
#[derive(Default)]
pub(super) struct Walked {
    /// Plain commands in order; good only without a doubt.
    pub(super) commands: Vec<Argv>,
    pub(super) doubt: Option<&'static str>,
    pub(super) found: Vec<Vec<Option<String>>>,
    /// Something runs, or is written, that the text does not tell.
    pub(super) obscure: bool,
}

impl Walked {
    /// Reads `text`; says whether it could be read.
    pub(super) fn walk(&mut self, text: &str, depth: usize) -> bool {
        if depth > DEPTH_MAX || text.len() > TEXT_MAX || nests_deeply(text) {
            self.obscure = true;
            return false;
        }
        let options = ParserOptions::default();
        let Ok(tokens) = uncached_tokenize_str(text, &options.tokenizer_options()) else {
            self.obscure = true;
            return false;
        };
        let Ok(program) = parse_tokens(&tokens, &options) else {
            self.obscure = true;
            return false;
        };
        for list in &program.complete_commands {
            self.list(list, depth);
        }
        true
    }

    fn doubts(&mut self, why: &'static str) {
        self.doubt.get_or_insert(why);
    }

    fn list(&mut self, list: &CompoundList, depth: usize) {
        for item in &list.0 {
            if matches!(item.1, SeparatorOperator::Async) {
                self.doubts("it runs something in the background");
            }
            self.and_or(&item.0, depth);
        }
    }

    fn and_or(&mut self, list: &AndOrList, depth: usize) {
        self.pipeline(&list.first, depth);
        for next in &list.additional {
            match next {
                AndOr::And(pipeline) | AndOr::Or(pipeline) => self.pipeline(pipeline, depth),
            }
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline, depth: usize) {
        if pipeline.timed.is_some() || pipeline.bang {
            self.doubts("it is more than plain commands");
        }
        for command in &pipeline.seq {
            self.command(command, depth);
        }
    }

    fn command(&mut self, command: &Command, depth: usize) {
        let redirects = match command {
            Command::Simple(simple) => return self.simple(simple, depth),
            Command::Compound(compound, redirects) => {
                self.doubts("it has a group, a loop or a condition");
                self.compound(compound, depth);
                redirects.as_ref()
            }
            Command::Function(function) => {
                self.doubts("it defines a function");
                self.compound(&function.body.0, depth);
                function.body.1.as_ref()
            }
            Command::ExtendedTest(test, redirects) => {
                self.doubts("it has a condition");
                self.test(&test.expr, depth);
                redirects.as_ref()
            }
        };
        for redirect in redirects.iter().flat_map(|list| &list.0) {
            self.redirect(redirect, depth);
        }
    }

    fn test(&mut self, test: &ExtendedTestExpr, depth: usize) {
        match test {
            ExtendedTestExpr::And(one, other) | ExtendedTestExpr::Or(one, other) => {
                self.test(one, depth);
                self.test(other, depth);
            }
            ExtendedTestExpr::Not(one) | ExtendedTestExpr::Parenthesized(one) => {
                self.test(one, depth)
            }
            ExtendedTestExpr::UnaryTest(_, word) => self.inside(word, depth),
            ExtendedTestExpr::BinaryTest(_, one, other) => {
                self.inside(one, depth);
                self.inside(other, depth);
            }
        }
    }

    fn compound(&mut self, compound: &CompoundCommand, depth: usize) {
        match compound {
            // What arithmetic can run stands in subscripts, which nobody writes by accident.
            CompoundCommand::Arithmetic(_) => self.obscure = true,
            CompoundCommand::ArithmeticForClause(clause) => {
                self.obscure = true;
                self.list(&clause.body.list, depth);
            }
            CompoundCommand::BraceGroup(group) => self.list(&group.list, depth),
            CompoundCommand::Subshell(subshell) => self.list(&subshell.list, depth),
            CompoundCommand::ForClause(clause) => {
                for value in clause.values.iter().flatten() {
                    self.inside(value, depth);
                }
                self.list(&clause.body.list, depth);
            }
            CompoundCommand::CaseClause(clause) => {
                self.inside(&clause.value, depth);
                for case in &clause.cases {
                    for pattern in &case.patterns {
                        self.inside(pattern, depth);
                    }
                    if let Some(list) = &case.cmd {
                        self.list(list, depth);
                    }
                }
            }
            CompoundCommand::IfClause(clause) => {
                self.list(&clause.condition, depth);
                self.list(&clause.then, depth);
                for other in clause.elses.iter().flatten() {
                    if let Some(condition) = &other.condition {
                        self.list(condition, depth);
                    }
                    self.list(&other.body, depth);
                }
            }
            CompoundCommand::WhileClause(clause) | CompoundCommand::UntilClause(clause) => {
                self.list(&clause.0, depth);
                self.list(&clause.1.list, depth);
            }
            CompoundCommand::Coprocess(coprocess) => self.command(&coprocess.body, depth),
        }
    }

    fn simple(&mut self, simple: &SimpleCommand, depth: usize) {
        let mut argv = Vec::new();
        for item in simple.prefix.iter().flat_map(|prefix| &prefix.0) {
            self.item(item, &mut argv, depth);
        }
        if let Some(word) = &simple.word_or_name {
            argv.push(self.literal(word, depth));
        }
        for item in simple.suffix.iter().flat_map(|suffix| &suffix.0) {
            self.item(item, &mut argv, depth);
        }
        if argv.is_empty() {
            return;
        }
        if argv.iter().any(Option::is_none) {
            self.doubts("it has words that only the shell will know");
        }
        let known: Option<Argv> = argv.iter().cloned().collect();
        self.commands.extend(known);
        self.find(argv, depth);
    }

    fn item(
        &mut self,
        item: &CommandPrefixOrSuffixItem,
        argv: &mut Vec<Option<String>>,
        depth: usize,
    ) {
        match item {
            CommandPrefixOrSuffixItem::IoRedirect(redirect) => self.redirect(redirect, depth),
            CommandPrefixOrSuffixItem::Word(word) => argv.push(self.literal(word, depth)),
            // Before the program it changes what runs; behind it, it is an argument.
            CommandPrefixOrSuffixItem::AssignmentWord(assignment, word) => {
                if argv.is_empty() {
                    self.doubts("it sets a variable");
                    match &assignment.value {
                        AssignmentValue::Scalar(value) => self.inside(value, depth),
                        AssignmentValue::Array(values) => {
                            for (_, value) in values {
                                self.inside(value, depth);
                            }
                        }
                    }
                } else {
                    argv.push(self.literal(word, depth));
                }
            }
            CommandPrefixOrSuffixItem::ProcessSubstitution(_, subshell) => {
                self.substitution(subshell, depth);
                argv.push(None);
            }
        }
    }

    fn substitution(&mut self, subshell: &SubshellCommand, depth: usize) {
        self.doubts("it runs another command for one of its words");
        self.list(&subshell.list, depth);
    }

    fn redirect(&mut self, redirect: &IoRedirect, depth: usize) {
        match redirect {
            IoRedirect::File(_, kind, target) => self.file(kind, target, depth),
            IoRedirect::HereDocument(_, document) => {
                self.doubts("it feeds a text to a command");
                if document.requires_expansion {
                    self.inside(&document.doc, depth);
                }
            }
            IoRedirect::HereString(_, word) => {
                self.doubts("it feeds a text to a command");
                self.inside(word, depth);
            }
            IoRedirect::OutputAndError(word, _) => self.target(word, "it writes to a file", depth),
        }
    }

    fn file(&mut self, kind: &IoFileRedirectKind, target: &IoFileRedirectTarget, depth: usize) {
        let why = match kind {
            IoFileRedirectKind::Read | IoFileRedirectKind::DuplicateInput => {
                "it feeds a file to a command"
            }
            IoFileRedirectKind::Write
            | IoFileRedirectKind::Append
            | IoFileRedirectKind::ReadAndWrite
            | IoFileRedirectKind::Clobber
            | IoFileRedirectKind::DuplicateOutput => "it writes to a file",
        };
        match target {
            IoFileRedirectTarget::Filename(word) => self.target(word, why, depth),
            IoFileRedirectTarget::Fd(_) => {}
            IoFileRedirectTarget::ProcessSubstitution(_, subshell) => {
                self.substitution(subshell, depth)
            }
            // `&1` is another stream; anything else may be a file.
            IoFileRedirectTarget::Duplicate(word) => {
                if !matches!(word.value.as_str(), "1" | "2") {
                    self.target(word, why, depth);
                }
            }
        }
    }

    fn target(&mut self, word: &Word, why: &'static str, depth: usize) {
        if self.literal(word, depth).as_deref() != Some("/dev/null") {
            self.doubts(why);
        }
    }

    /// The text of a word, where it needs no shell; what it runs is looked at on the way.
    fn literal(&mut self, word: &Word, depth: usize) -> Option<String> {
        let Ok(pieces) = word::parse(&word.value, &ParserOptions::default()) else {
            self.doubts("it has words that only the shell will know");
            self.obscure = true;
            return None;
        };
        let mut text = Some(String::new());
        for piece in &pieces {
            let part = self.piece(piece, &word.value, depth);
            text = text.zip(part).map(|(text, part)| text + &part);
        }
        text
    }

    fn inside(&mut self, word: &Word, depth: usize) {
        self.literal(word, depth);
    }

    /// The text of a piece of the word `source`, where it needs no shell.
    fn piece(&mut self, piece: &WordPieceWithSource, source: &str, depth: usize) -> Option<String> {
        match &piece.piece {
            WordPiece::Text(text) => {
                let globs = text.contains(['*', '?', '[', '{']);
                (!globs).then(|| text.clone())
            }
            WordPiece::SingleQuotedText(text) => Some(text.clone()),
            WordPiece::AnsiCQuotedText(_) => None,
            WordPiece::EscapeSequence(text) => match text.strip_prefix('\\') {
                Some("\n") => Some(String::new()),
                escaped => escaped.map(str::to_owned),
            },
            WordPiece::DoubleQuotedSequence(pieces)
            | WordPiece::GettextDoubleQuotedSequence(pieces) => {
                let mut text = Some(String::new());
                for piece in pieces {
                    // Within quotes nothing is a glob.
                    let part = if let WordPiece::Text(text) = &piece.piece {
                        Some(text.clone())
                    } else {
                        self.piece(piece, source, depth)
                    };
                    text = text.zip(part).map(|(text, part)| text + &part);
                }
                text
            }
            WordPiece::TildeExpansion(_) => None,
            WordPiece::ParameterExpansion(_) | WordPiece::ArithmeticExpression(_) => {
                // Defaults, patterns and subscripts may run commands; they are not taken apart.
                self.obscure |= ["$(", "`", "<(", ">(", "@P", "${!", "["]
                    .iter()
                    .any(|sign| source.contains(sign));
                None
            }
            WordPiece::CommandSubstitution(text)
            | WordPiece::BackquotedCommandSubstitution(text) => {
                self.doubts("it runs another command for one of its words");
                self.walk(text, depth + 1);
                None
            }
        }
    }

    /// Takes note of a command, and of what it runs in its turn.
    fn find(&mut self, argv: Vec<Option<String>>, depth: usize) {
        if self.found.len() >= FOUND_MAX {
            self.obscure = true;
            return;
        }
        let Some(Some(program)) = argv.first().cloned() else {
            self.obscure = true;
            self.found.push(argv);
            return;
        };
        if runs_others(&program) {
            self.run_by(&program, &argv, depth);
        } else if argv
            .iter()
            .flatten()
            .any(|word| word.starts_with("-exec") || word.starts_with("-ok"))
        {
            self.tails(&argv);
        }
        self.found.push(argv);
    }

    /// What a program runs that runs its arguments: any of its tails may be a command, and any of its words a
    /// script.
    fn run_by(&mut self, program: &str, argv: &[Option<String>], depth: usize) {
        self.tails(argv);
        let known: Option<Argv> = argv.get(1..).unwrap_or_default().iter().cloned().collect();
        match known {
            Some(words) if program_name(program) == "eval" => {
                self.walk_script(&words.join(" "), depth);
            }
            Some(words) => {
                for word in words
                    .iter()
                    .filter(|word| word.contains([' ', ';', '\n', '|', '&']))
                {
                    self.walk_script(word, depth);
                }
            }
            None => self.obscure = true,
        }
    }

    fn tails(&mut self, argv: &[Option<String>]) {
        for from in 1..argv.len() {
            if self.found.len() >= FOUND_MAX {
                self.obscure = true;
                return;
            }
            self.found.extend(argv.get(from..).map(<[_]>::to_vec));
        }
    }

    /// Looks into a script that is an argument: it adds to what is found and to nothing else.
    fn walk_script(&mut self, text: &str, depth: usize) {
        let mut inner = Self::default();
        inner.walk(text, depth + 1);
        self.obscure |= inner.obscure;
        self.found.extend(inner.found);
        self.found.truncate(FOUND_MAX);
    }
}
