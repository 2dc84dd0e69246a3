//! A headless Chromium, driven by the few commands of the WebDriver protocol that the tests need.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long a page may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// A browser with one session; both end when it is dropped.
pub struct Browser {
    driver: Child,
    session: String,
}

impl Browser {
    /// A browser with a window of this size; `None`, said aloud, where it or `chromedriver` is not installed.
    pub fn start(width: u32, height: u32) -> Option<Self> {
        let started = Command::new("chromedriver")
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut driver = match started {
            Ok(driver) => driver,
            Err(error) => return skipped(&format!("chromedriver can not be started: {error}")),
        };
        let port = port(&mut driver);
        let options = json!({
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
            "mobileEmulation": { "deviceMetrics": { "width": width, "height": height, "mobile": false } }
        });
        let capabilities = json!({ "alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" }
        } });
        let root = format!("http://127.0.0.1:{port}/session");
        let opened = post(&root, &json!({ "capabilities": capabilities }));
        if let Some(id) = opened["sessionId"].as_str() {
            return Some(Self { session: format!("{root}/{id}"), driver });
        }
        let _ = driver.kill();
        let _ = driver.wait();
        let message = opened["message"].as_str().unwrap_or_default();
        assert!(message.contains("binary"), "no session: {opened}");
        skipped(&format!("there is no Chromium: {message}"))
    }

    /// Opens a page and waits until it is loaded.
    pub fn open(&self, url: &str) {
        self.command("url", &json!({ "url": url }));
    }

    /// Clicks the first element that a CSS selector finds, as a reader would: it must be in reach.
    pub fn click(&self, selector: &str) {
        let found = self.command("element", &json!({ "using": "css selector", "value": selector }));
        let id = found.as_object().and_then(|found| found.values().next()).and_then(Value::as_str);
        let id = id.unwrap_or_else(|| panic!("no `{selector}`: {found}"));
        let clicked = self.command(&format!("element/{id}/click"), &json!({}));
        assert!(clicked.is_null(), "`{selector}` can not be clicked: {clicked}");
    }

    /// What a script returns.
    pub fn run(&self, script: &str) -> Value {
        self.command("execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Waits until a script returns true.
    pub fn wait_for(&self, script: &str) {
        let begun = Instant::now();
        while self.run(script) != true {
            assert!(begun.elapsed() < PATIENCE, "never true: {script}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Goes on in the window that was opened last.
    pub fn switch_to_newest_window(&self) {
        let begun = Instant::now();
        loop {
            let windows = get(&format!("{}/window/handles", self.session));
            let windows = windows.as_array().cloned().unwrap_or_default();
            if windows.len() > 1 {
                self.command("window", &json!({ "handle": windows[windows.len() - 1] }));
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "no window was opened");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// What the browser wrote to its console: broken policies, scripts that failed, files that are missing.
    pub fn complaints(&self) -> Vec<String> {
        let log = self.command("se/log", &json!({ "type": "browser" }));
        log.as_array().expect("a log").iter().map(|entry| entry["message"].to_string()).collect()
    }

    fn command(&self, name: &str, body: &Value) -> Value {
        post(&format!("{}/{name}", self.session), body)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = agent().delete(&self.session).call();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

fn skipped<T>(why: &str) -> Option<T> {
    assert!(std::env::var_os("CITED_REQUIRE_PROGRAMS").is_none(), "CITED_REQUIRE_PROGRAMS is set, but {why}");
    // Past the capture of a test's output: a skip that no one sees is taken for a pass.
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
    None
}

/// The port that the driver says it listens on; what it says later is read and dropped.
fn port(driver: &mut Child) -> u16 {
    let mut lines = BufReader::new(driver.stdout.take().expect("piped")).lines();
    let said = |line: String| line.rsplit_once("successfully on port ")?.1.trim_end_matches('.').parse().ok();
    let port = lines.by_ref().map_while(Result::ok).filter_map(said).next();
    std::thread::spawn(move || lines.for_each(drop));
    port.expect("chromedriver says on which port it listens")
}

fn post(url: &str, body: &Value) -> Value {
    let reply = agent().post(url).header("Content-Type", "application/json").send(body.to_string());
    value(reply.expect("chromedriver answers"))
}

fn get(url: &str) -> Value {
    value(agent().get(url).call().expect("chromedriver answers"))
}

/// The value of a reply; an error is a value with a key `error`.
fn value(mut reply: ureq::http::Response<ureq::Body>) -> Value {
    let text = reply.body_mut().read_to_string().expect("text");
    let mut reply: Value = serde_json::from_str(&text).expect("JSON");
    reply["value"].take()
}

fn agent() -> ureq::Agent {
    let config = ureq::Agent::config_builder().http_status_as_error(false).proxy(None);
    config.timeout_global(Some(Duration::from_secs(60))).build().into()
}
