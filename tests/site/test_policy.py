"""In Chromium: every page has a policy that forbids what it does not use, and does all it does under it."""

import base64
import hashlib
import re
import socket
import time
import urllib.request
from pathlib import Path

import material
import pytest
from playwright.sync_api import Browser

from generator.site.build import build_site
from generator.site.plugin import THEME
from generator.site.policy import guarded, policy, scripts_of, theme_scripts
from tests.limits import SECONDS
from tests.ready import Ready, Running
from tests.reports import Telling
from tests.site.browser import PATIENCE, Visit, until, visiting
from tests.site.project import HEAD, MODEL, PLACES, Site, server
from tests.test_pipeline import write_project

pytestmark = pytest.mark.browser
INLINE = re.compile(r"<script(?![^>]*(?:src=|json))[^>]*>(.*?)</script>", re.DOTALL)
POLICY = re.compile(r'<meta charset="utf-8">\s*<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
FORBIDDEN = {
    "a picture from elsewhere": ("img-src", "add('img', {src: 'https://example.org/a.png'})"),
    "an inline script": ("script-src-elem", "add('script', {text: 'window.ran = 1'})"),
    "a script from elsewhere": ("script-src-elem", "add('script', {src: 'https://example.org/a.js'})"),
    "eval": ("script-src", "setTimeout(() => (window.ran = Function('return 1')()))"),
    "a frame": ("frame-src", "add('iframe', {src: 'https://example.org'})"),
    "a handler": (
        "script-src-attr",
        "document.body.insertAdjacentHTML('beforeend', '<img src=x: onerror=\"window.ran = 1\">')",
    ),
}
"""What a page may not have -> the part of its policy that says so, and a script that tries."""
ATTEMPT = """
(async () => {{
  window.ran = 0;
  const told = new Promise((done) => document.addEventListener("securitypolicyviolation", (event) => {{
    if (event.effectiveDirective === "{directive}") done(event.effectiveDirective);
  }}));
  const add = (kind, given) => document.body.append(Object.assign(document.createElement(kind), given));
  {code};
  return [await Promise.race([told, new Promise((done) => setTimeout(done, {limit}, "none"))]), window.ran];
}})()
"""


MATERIAL = Path(material.__file__).parent / "templates"
THEIRS = theme_scripts([str(THEME), str(MATERIAL)])


def test_every_page_has_its_policy_and_no_page_may_eval(site: Site) -> None:
    pages = list(site.folder.rglob("*.html"))
    assert len(pages) > 50
    for page in pages:
        text = page.read_text(encoding="utf-8")
        (found,) = POLICY.findall(text)
        assert found == policy(text, THEIRS), page
        assert len(re.findall("'sha256-", found)) == len({*INLINE.findall(text)}), "the theme's scripts run"
        assert "unsafe-eval" not in found
        assert re.search("script-src 'self'( 'sha256-[^']+')*;", found), "and no other inline script than the theme's"
        assert found.startswith("default-src 'none'; ")


HOSTILE = ("alert(1)", 'location = "//evil.example"', "")


@pytest.mark.parametrize("place", PLACES.values())
def test_a_script_that_got_into_a_page_is_not_among_those_that_run(site: Site, place: str) -> None:
    page = (site.folder / place / "index.html").read_text(encoding="utf-8")
    before = policy(page, THEIRS)
    for script in HOSTILE:
        for mark in ("<article", "</article>", "</title>", "</body>"):
            there = page.replace(mark, f"<script>{script}</script>{mark}", 1)
            assert there != page
            assert policy(there, THEIRS) == before


def test_what_a_template_fills_in_may_be_an_address_and_may_not_end_a_text() -> None:
    known = scripts_of(['<script>\n  go(new URL("{{ base_url }}"), `${x}`)\n</script><script src="{{ a }}"></script>'])
    for filled, runs in (
        ("..", 1),
        ("/guide/", 1),
        ("", 1),
        ('"),alert(1),("', 0),
        ("\\", 0),
        ("'", 0),
        ("</script>", 0),
    ):
        page = f'<script>go(new URL("{filled}"), `${{x}}`)</script>'
        assert policy(page, known).count("'sha256-") == runs, filled
    assert "sha256" not in policy("<script>go()</script>", scripts_of([]))


def test_the_policy_of_a_script_in_a_hand_written_page_lets_it_not_run(tmp_path: Path) -> None:
    config = write_project(tmp_path / "project", [])
    (config.parent / "docs" / "note.md").write_text("# Note\n\n<script>alert(1)</script>\n")
    (config.parent / "build" / "results").mkdir(parents=True, exist_ok=True)
    build_site(config.parent / "mkdocs.yml", [config.parent / "docs"], Telling())
    (told,) = POLICY.findall(page := (config.parent / "site" / "note" / "index.html").read_text(encoding="utf-8"))
    assert "<script>alert(1)</script>" in page
    checksum = base64.b64encode(hashlib.sha256(b"alert(1)").digest()).decode()
    assert checksum not in told
    assert "'sha256-" in told
    assert guarded("<p>") == "<p>"


def test_the_script_of_a_redirect_runs_on_a_redirect_alone(tmp_path: Path) -> None:
    def led(address: str) -> str:
        there = f'window.location.replace(["{address}",window.location.search,window.location.hash].join(""))'
        return f"<script>{there}</script>"

    config = write_project(tmp_path / "project", [])
    docs, evil = config.parent / "docs", led("https://evil.example/")
    spaced, end = evil.replace("location.replace", "location. replace"), "</head><body></body></html>"
    (docs / "note.md").write_text(f"# Note\n\n{evil}\n\n{spaced}\n\n{end}\n")
    (docs / "old.md").write_text("---\ntemplate: redirect.html\nlocation: ../note/\n---\n# Old\n")
    build_site(config.parent / "mkdocs.yml", [docs], Telling())
    for name, scripts, runs in (("note", (evil, spaced), False), ("old", (led("../note/"),), True)):
        page = (config.parent / "site" / name / "index.html").read_text(encoding="utf-8")
        (told,) = POLICY.findall(page)
        for script in scripts:
            assert script in page
            text = script.removeprefix("<script>").removesuffix("</script>")
            assert (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() in told) is runs, name
        draft = page.replace("</body>", "<script>livereload(1, 2);</script></body>")
        assert policy(draft, THEIRS) == policy(page, THEIRS)


def test_inline_scripts_alone_are_allowed_each_by_the_checksum_of_all_its_text() -> None:
    inline = ["first()", 'write("<script src=x>")', "\nlast()\n"]
    others = (
        '<script src="a.js"></script><script type="application/ld+json">{}</script><script defer src=b.js></script>'
    )
    page = f"<p><script>{inline[0]}</script>{others}<script>{inline[1]}</script><script async>{inline[2]}</script>"
    checksums = sorted(base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in inline)
    known = scripts_of(f"<script>{one}</script>" for one in inline)
    assert re.findall("'sha256-([^']+)'", policy(page, known)) == checksums


@pytest.mark.parametrize("where", ["server", "disk"])
def test_what_a_page_does_not_use_is_refused_by_the_browser(browser: Browser, site: Site, where: str) -> None:
    address = site.address if where == "server" else f"{site.folder.as_uri()}/"
    context = browser.new_context()
    page = context.new_page()
    page.goto(address + PLACES["head"] + "index.html", wait_until="load")
    found = {
        name: page.evaluate(ATTEMPT.format(directive=directive, code=code, limit=PATIENCE))
        for name, (directive, code) in FORBIDDEN.items()
    }
    context.close()
    assert found == {name: [directive, 0] for name, (directive, _) in FORBIDDEN.items()}


@pytest.mark.parametrize("place", [MODEL, HEAD])
def test_figures_are_drawn_under_the_policy(visit: Visit, place: str) -> None:
    """A violation is an error on the console, which fails the test at its end."""
    visit.go(place)
    assert visit.figures()


def test_what_comes_late_is_waited_for_under_the_policy(visit: Visit) -> None:
    visit.go().evaluate("setTimeout(() => { window.late = true; }, 300)")
    until(visit.page, "window.late")
    assert visit.page.evaluate("window.late")


@pytest.mark.parametrize("place", ["", MODEL, HEAD])
@pytest.mark.parametrize("how", ["press_sequentially", "fill"])
def test_search_works_under_the_policy(visit: Visit, place: str, how: str) -> None:
    """Typed, or put in at once as by pasting, which no key tells of."""
    page = visit.go(place)
    visit.figures()
    field = page.locator("input.md-search__input")
    field.focus()
    visit.searched("")  # the theme has read the empty field
    getattr(field, how)("entropy")
    page.locator(".md-search-result__item").first.wait_for()


def test_figures_are_drawn_under_the_policy_from_disk(from_disk: Visit) -> None:
    from_disk.go(f"{MODEL}index.html")
    assert from_disk.figures()


def test_a_site_in_a_folder_of_its_host_works_under_the_policy(browser: Browser, site: Site, tmp_path) -> None:
    """As on Pages, where it lies below /name/."""
    (tmp_path / "name").symlink_to(site.folder)
    with server(tmp_path) as address, visiting(browser, f"{address}name/") as visit:
        visit.go(HEAD)
        assert visit.figures()


def test_the_server_for_writing_sends_the_policy_of_what_it_serves(tmp_path: Path, ready: Ready) -> None:
    config = write_project(tmp_path / "project", [])
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
    serving = ready.run(tmp_path / "said", "generator", "serve", "--config", config, "--port", port)
    try:
        sent, text = _fetch(f"http://127.0.0.1:{port}/", serving)
    finally:
        serving.kill()
    assert "livereload(" in text
    assert len(re.findall("'sha256-", sent or "")) == len({*INLINE.findall(text)}), "those of theme and server run"
    assert "http-equiv" not in text.partition("</head>")[0], "two policies would allow what both allow"


def _fetch(address: str, process: Running) -> tuple[str | None, str]:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=SECONDS) as answer:
                return answer.headers["Content-Security-Policy"], answer.read().decode()
        except OSError:
            time.sleep(0.05)
    raise AssertionError(f"Expected an answer from {address}, found: {process.err}")
