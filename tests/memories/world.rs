//! A made-up team's memory, from a seed: decisions in past sessions, facts and notes, with planted duplicates,
//! contradictions, chatter and echoes; and questions of which we know whether the memory answers them.

use super::memories::{Columns, Facts, Home, Shape, State};

const PROJECTS: &[&str] = &[
    "billing",
    "harbour",
    "search",
    "login",
    "backup",
    "weather",
    "garden",
    "library",
    "museum",
    "ferry",
    "bakery",
    "clinic",
    "orchard",
    "railway",
    "newsletter",
    "payroll",
    "archive",
    "telescope",
    "greenhouse",
    "workshop",
];
const THINGS: &[&str] = &[
    "service",
    "pipeline",
    "dashboard",
    "cluster",
    "report",
    "website",
    "scanner",
    "calendar",
    "gateway",
    "importer",
];
/// An attribute, another word for it, and its values.
const ATTRIBUTES: &[(&str, &str, &[&str])] = &[
    ("database", "data store", &["Postgres", "MySQL", "SQLite", "Cassandra", "DuckDB"]),
    ("region", "location", &["Frankfurt", "Oslo", "Dublin", "Osaka", "Toronto"]),
    ("owner", "responsible person", &["Ada", "Grace", "Linus", "Barbara", "Edsger"]),
    (
        "deadline",
        "due date",
        &["the third of May", "midsummer", "the end of June", "Friday week", "November"],
    ),
    ("language", "programming stack", &["Rust", "Python", "Go", "Erlang", "Kotlin"]),
    (
        "budget",
        "money",
        &["40,000 euros", "two thousand dollars", "9,500 francs", "a million yen", "nothing"],
    ),
    ("retention period", "storage time", &["30 days", "two years", "six weeks", "a decade", "90 days"]),
    ("logo colour", "brand shade", &["green", "dark blue", "orange", "violet", "grey"]),
];
const ELSEWHERE: &[&str] = &[
    "Who won the chess tournament?",
    "What is the capital of Mongolia?",
    "How tall is the lighthouse keeper's daughter?",
    "When does the opera season begin?",
    "Which medicine helps against seasickness?",
    "What did the plumber say about the boiler valve?",
];

/// Questions about other things that happen to share a word with the memory.
const INCIDENTAL: &[&str] = &[
    "When does the {} open on Sundays?",
    "How do I renew my {} membership card?",
    "Who wrote the song about the old {}?",
    "What should I wear to the {} party tonight?",
    "Is the {} near the train station?",
    "How much does a {} ticket for children cost?",
];

/// A question and whether the memory answers it.
#[derive(Debug, Clone)]
pub struct Question {
    pub text: String,
    pub kind: Kind,
    /// What was decided last, where something was.
    pub answer: Option<String>,
    /// What was decided first, where it was changed later.
    pub overruled: Option<String>,
}

/// Why a question can or can not be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Asked in the words of the decision.
    Plain,
    /// Asked in other words.
    Reworded,
    /// The subject is known, what is asked of it was never decided.
    OtherAttribute,
    /// Each word is known, the subject is not.
    OtherSubject,
    /// About something else, with one word in common.
    Incidental,
    /// About something else altogether.
    Elsewhere,
}

impl Kind {
    pub fn is_answerable(self) -> bool {
        matches!(self, Self::Plain | Self::Reworded)
    }
}

/// Numbers from a seed (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    pub fn pick<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }

    pub fn percent(&mut self, share: usize) -> bool {
        self.below(100) < share
    }
}

/// A home full of memory and the questions about it.
pub struct World {
    pub home: Home,
    pub questions: Vec<Question>,
}

struct Writer<'a> {
    random: Random,
    state: &'a State,
    facts: &'a Facts,
    memory_md: String,
    notes: Vec<(String, String)>,
    sessions: usize,
}

/// Plants `subjects` subjects and asks about them.
pub fn world(seed: u64, subjects: usize) -> World {
    let home = Home::new();
    let (state, facts) = (home.state(Shape::External, Columns::Later), home.facts());
    state.connection.execute_batch("BEGIN").unwrap();
    facts.connection.execute_batch("BEGIN").unwrap();
    let random = Random(seed);
    let mut writer = Writer {
        random,
        state: &state,
        facts: &facts,
        memory_md: String::new(),
        notes: Vec::new(),
        sessions: 0,
    };
    let questions = writer.plant(subjects);
    let Writer { memory_md, notes, .. } = writer;
    state.connection.execute_batch("COMMIT").unwrap();
    facts.connection.execute_batch("COMMIT").unwrap();
    home.write("MEMORY.md", &memory_md);
    for (name, text) in notes {
        home.write(&format!("memory/{name}.md"), &text);
    }
    World { home, questions }
}

impl Writer<'_> {
    fn plant(&mut self, count: usize) -> Vec<Question> {
        let mut subjects: Vec<String> = Vec::new();
        while subjects.len() < count {
            let subject = format!("{} {}", self.random.pick(PROJECTS), self.random.pick(THINGS));
            if !subjects.contains(&subject) {
                subjects.push(subject);
            }
        }
        let mut questions = Vec::new();
        for subject in &subjects {
            let first = self.random.below(ATTRIBUTES.len());
            for at in 0..3 {
                let attribute = (first + at) % ATTRIBUTES.len();
                questions.push(self.decide(subject, attribute));
            }
            let never = (first + 3 + self.random.below(5)) % ATTRIBUTES.len();
            questions.push(self.ask(subject, ATTRIBUTES[never].0, Kind::OtherAttribute));
            self.chat(subject);
        }
        for _ in 0..count {
            questions.push(self.ask_about_a_stranger(&subjects));
            let text = self.random.pick(ELSEWHERE).to_owned();
            questions.push(Question { text, kind: Kind::Elsewhere, answer: None, overruled: None });
            let text = self.random.pick(INCIDENTAL).replace("{}", self.random.pick(PROJECTS));
            questions.push(Question { text, kind: Kind::Incidental, answer: None, overruled: None });
        }
        for question in &questions {
            if self.random.percent(20) {
                self.say(&[("user", &question.text)]);
            }
        }
        questions
    }

    /// Records a decision in one to three places; some are changed later.
    fn decide(&mut self, subject: &str, attribute: usize) -> Question {
        let (name, other, values) = ATTRIBUTES[attribute];
        let value = self.random.pick(values);
        self.record(subject, name, value);
        let mut answer = value;
        let mut overruled = None;
        if self.random.percent(15) {
            let changed = self.random.pick(values);
            if changed != value {
                let text = format!("We changed the {name} of the {subject} from {value} to {changed}.");
                self.say(&[("user", "One more thing."), ("assistant", &text)]);
                (answer, overruled) = (changed, Some(value.to_owned()));
            }
        }
        let kind = if self.random.percent(25) { Kind::Reworded } else { Kind::Plain };
        let asked = if kind == Kind::Reworded { other } else { name };
        Question { answer: Some(answer.to_owned()), overruled, ..self.ask(subject, asked, kind) }
    }

    fn record(&mut self, subject: &str, name: &str, value: &str) {
        let said = match self.random.below(3) {
            0 => format!("We decided that {value} is the {name} of the {subject}."),
            1 => format!("Agreed: {name} for the {subject} will be {value}."),
            _ => format!("The {subject} gets {value} as its {name}, that is settled."),
        };
        let fact = format!("{subject} {name}: {value}");
        let places = 1 + self.random.below(7);
        if places & 1 == 1 {
            self.say(&[("user", "Let us settle this."), ("assistant", &said)]);
        }
        if places & 2 == 2 {
            self.facts.add(&fact, 0.4 + self.random.below(6) as f64 / 10.0);
        }
        if places & 4 == 4 {
            self.notes.push((fact.replace([' ', ':', ','], "-"), format!("# {subject}\n\n{said}\n")));
        }
        if self.random.percent(15) {
            self.memory_md.push_str(&format!("## {subject}\n{fact}\n\n"));
        }
        // An exact duplicate in another store.
        if self.random.percent(20) {
            self.facts.add(&said, 0.9);
        }
    }

    fn ask(&mut self, subject: &str, attribute: &str, kind: Kind) -> Question {
        let text = match self.random.below(4) {
            0 => format!("What did we decide about the {attribute} of the {subject}?"),
            1 => format!("Which {attribute} does the {subject} have?"),
            2 => format!("What is the {subject}'s {attribute}?"),
            _ => format!("{subject} {attribute}?"),
        };
        Question { text, kind, answer: None, overruled: None }
    }

    /// A subject of known words that nobody has spoken of.
    fn ask_about_a_stranger(&mut self, subjects: &[String]) -> Question {
        loop {
            let subject = format!("{} {}", self.random.pick(PROJECTS), self.random.pick(THINGS));
            if !subjects.contains(&subject) {
                let attribute = ATTRIBUTES[self.random.below(ATTRIBUTES.len())].0;
                return self.ask(&subject, attribute, Kind::OtherSubject);
            }
        }
    }

    /// Talk that mentions a subject and decides nothing.
    fn chat(&mut self, subject: &str) {
        let about = format!("I am looking at the {subject} tomorrow.");
        let done = format!("Fine. The {subject} was restarted; the logs are clean.");
        self.say(&[("user", &about), ("assistant", &done), ("tool", &format!("{{\"name\":\"{subject}\"}}"))]);
    }

    fn say(&mut self, messages: &[(&str, &str)]) {
        self.sessions += 1;
        let id = format!("session-{}", self.sessions);
        self.state.session(&id, "cli", None);
        for (role, content) in messages {
            self.state.say(&id, role, content);
        }
    }
}
