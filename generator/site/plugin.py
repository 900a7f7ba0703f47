"""The MkDocs plugin, which adds finished pages to the hand-written Markdown.

Only public events are used. MkDocs gets each generated page of the menu as an empty file; once it has rendered the
empty body, the finished HTML replaces it. All other pages are put into the theme's frame at the end. Models and heads
are not in the navigation, whose cost is quadratic; the search reads one sentence about each head.
"""

import html
import logging
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from jinja2 import Environment
from mkdocs.config import config_options as option
from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as MkDocsPage
from mkdocs.utils import write_file
from mkdocs.utils.templates import TemplateContext

from generator.config import UNLISTED, Project, read_project
from generator.defaults import FILE
from generator.errors import FieldguideError
from generator.home import TEMPLATES
from generator.numbers.writing import unbroken
from generator.pages.citing import Work
from generator.pages.renderer import Page
from generator.pages.walk import walk
from generator.pages.written.in_markdown import with_blocks, without_blocks
from generator.site.content import SCRIPTS, STYLE, Content
from generator.site.discovery import sitemap
from generator.site.embeds import Cards
from generator.site.frames import SEARCH, Finished, Frames, Searched, contents, usable
from generator.site.loaded import ASSETS
from generator.site.models.cached import PAGE, CachedPages, owner_of, setting
from generator.site.models.made import Workshop, bring
from generator.site.policy import guarded, guarding, scripts_of, theme_scripts
from generator.site.search import complete_index, extend_theme, named, read, slim
from generator.site.served import at_home
from generator.site.stamp import Stamp
from generator.topics import check_topics
from generator.visible import visible

THEME = Path(__file__).parent / "theme"
ANCHOR = re.compile(r'\sid="([^"]+)"')
"""Matches a place on a page to which a link may lead, for MkDocs to check those of hand-written pages."""
NUMBER = re.compile(r"\$\{\w+\}")
"""Matches where a number is put into the script that the server of drafts adds to a page."""
INSTANT = "navigation.instant"
"""What the theme calls moving without a reload."""
OF_SITE, OF_PAGE = ("site_name", "site_author", "site_description"), ("title", "description")
"""What a site and a hand-written page say of themselves, which the theme puts into heads of pages as it is."""
LOG = logging.getLogger("mkdocs.plugins.fieldguide")
"""The plugin's log; a warning makes the build fail at its end, when everything else is published."""


class Options(Config):
    """The plugin's options in mkdocs.yml."""

    settings = option.Type(str, default=FILE)
    """The settings file, which names the folders of results; if there is none, the default folders are read."""
    templates = option.Type(str, default=str(TEMPLATES))


class FieldguidePlugin(BasePlugin[Options]):
    """Turns stored results into pages of the site."""

    last: Stamp | None = None
    """The last build, from which pages of unchanged models may be kept."""
    settings: str = ""
    """The settings file that is asked for, or "" for that of the options, which are read anew for every draft."""
    workshop: Workshop | None = None
    """Where pages of models are made and wait to be published; None keeps them in memory."""

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Read the results and add the styles and scripts."""
        if not config.use_directory_urls:
            raise PluginError("Expected use_directory_urls to be on in mkdocs.yml, found it off; addresses need it.")
        for name in OF_SITE:
            config[name] = config[name] and visible(config[name])
        self.config.settings = self.settings or self.config.settings
        project = _project(config, self.config.settings)
        address, templates = config.site_url or "", Path(self.config.templates)
        known = self.last.read | self.last.written if self.last else {}
        self.kept = CachedPages(setting(config, templates, known) if self._published else "", self.last)
        try:
            check_topics()
            self._content = Content(
                project,
                docs=Path(config.docs_dir),
                templates=templates,
                address=address,
                repository=config.repo_url or "",
                kept=self.kept,
                workshop=self.workshop,
                work=Work.of_site(config.site_name, config.site_author),
            )
        except FieldguideError as error:
            raise PluginError(str(error)) from None
        self._cards, self._pages = Cards(address, self._content.maker.pictures), self._content.pages
        self._written: dict[str, str] = {}
        if not address:  # without a sitemap, of which it would ask, the theme cannot move without a reload
            config.theme["features"] = [name for name in config.theme.get("features") or () if name != INSTANT]
        config.theme.dirs.insert(0, str(THEME))
        config.extra_css.append(STYLE)
        config.extra_javascript.extend(SCRIPTS)
        return config

    @property
    def refused(self) -> list[str]:
        """What pages say that the gate would refuse, once they are made."""
        return self._content.refused

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Add the generated pages and the assets."""
        self._framed: dict[str, Page] = {}
        self._framing, menu = usable(config), str(config.nav)
        for uri, made in self._pages.items():
            if self._framing and owner_of(f"{made.address}{PAGE}") and uri not in menu:
                self._framed[uri] = made
            else:
                file = File.generated(config, uri, content="")
                files.append(file)
                if uri not in menu:
                    # Nothing more to do: a page of MkDocs enters itself in its file.
                    Finished(None, file, config)
            more = self._cards.added(made.address, made.title, made.description, made.files)
            for name, drawn in (*(made.files if made.html else ()), *more):  # others lie where they will be published
                files.append(_file(config, name, drawn))
        for uri, content in self._content.files():
            files.append(_file(config, uri, content))
        for problem in self._content.problems:
            LOG.warning(problem)
        extend_theme(files, config, ASSETS)
        return files

    def on_page_markdown(self, body: str, /, *, page: MkDocsPage, config: MkDocsConfig, files: Files) -> str:
        """Give a generated page its title and settings, and a hand-written one its live numbers and pictures."""
        made = self._pages.get(page.file.src_uri)
        if made is not None:
            page.meta = _meta(made)
            return body
        problems: list[str] = []
        try:
            text = self._content.knowledge.render(body, page.url, page.file.src_uri, problems)
        except FieldguideError as error:
            # What it lacks may be a model that was refused.
            raise PluginError(" ".join([str(error), *self._content.problems])) from None
        for problem in problems:
            LOG.warning(problem)
        page.meta.update((name, visible(str(page.meta[name]))) for name in OF_PAGE if page.meta.get(name) is not None)
        title, description = (str(page.meta.get(name, "")) for name in OF_PAGE)
        pictures = self._content.renderer.drawn(page.url)
        for name, drawn in (*pictures, *self._cards.added(page.url, title, description, pictures)):
            files.append(_file(config, name, drawn))
        text, self._blocks = without_blocks(text)
        return text

    def on_page_content(self, body: str, /, *, page: MkDocsPage, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG002 - the event's signature
        """Set what the search reads of a page, and give a generated page, whose body is empty, a heading to skip to."""
        made = self._pages.get(page.file.src_uri)
        if made is None:
            body = with_blocks(body, self._blocks)
            self._written[page.file.src_uri] = body
            self._content.refused += walk(unquote(page.url), body)
            return read(body)
        page.toc = contents(made.title)
        page.present_anchor_ids = set(ANCHOR.findall(self._content.whole(made).html))
        return made.search

    def on_nav(self, nav: Navigation, /, *, config: MkDocsConfig, files: Files) -> Navigation:  # noqa: ARG002 - the event's signature
        """Remember the navigation for the frames."""
        self._navigation = nav
        return nav

    def on_env(self, env: Environment, /, *, config: MkDocsConfig, files: Files) -> Environment:
        """Hide pages outside the menu from MkDocs, which has by now checked the links to them.

        Templates are not checked for changes during a build, which would take a tenth of its time. Their indentation is
        removed, which would be a tenth of a page.
        """
        env.auto_reload = False
        env.trim_blocks = env.lstrip_blocks = True
        self._scripts = theme_scripts(config.theme.dirs)
        self._frames = Frames(env, self._navigation, files, config)
        search: Any = config.plugins.get(SEARCH)
        listed = {page.file.src_uri for page in self._navigation.pages}
        for file in [*files] if self._framing else ():
            if file.src_uri in self._pages and file.src_uri not in listed:
                files.remove(file)
                self._framed[file.src_uri] = self._pages[file.src_uri]
        for made in self._framed.values() if search else ():
            search.search_index.add_entry_from_context(Searched.of(made, _meta(made)))
        return env

    @event_priority(-100)  # after the search has read the page
    def on_page_context(
        self,
        context: TemplateContext,
        /,
        *,
        page: MkDocsPage,
        config: MkDocsConfig,  # noqa: ARG002 - the event's signature
        nav: Navigation,  # noqa: ARG002 - the event's signature
    ) -> TemplateContext:
        """Put the finished HTML into its page, and tell the template what other sites show of the page."""
        page.meta.update(self._cards.of(unquote(page.url)))
        made = self._pages.get(page.file.src_uri)
        page.content = self._content.whole(made).html if made else self._written.pop(page.file.src_uri)
        return context

    def on_startup(self, *, command: str, dirty: bool) -> None:  # noqa: ARG002 - the event's signature
        """Remember whether pages are written to be published."""
        self._published = command != "serve"

    def on_post_page(self, output: str, /, *, page: MkDocsPage, config: MkDocsConfig) -> str:  # noqa: ARG002 - the event's signature
        """Clean up what the theme puts around a page, and add the page's policy."""
        return self._guarded(named(slim(output)))

    def on_post_template(self, output: str, /, *, template_name: str, config: MkDocsConfig) -> str:
        """Do the same for the theme's own pages; a site whose address is known has a sitemap, with all pages in it."""
        if template_name == "sitemap.xml":
            if not config.site_url:
                return ""
            framed = (made.address for made in self._framed.values())
            return sitemap(output, (*self.kept.pages, *framed), config.site_url)
        return self._guarded(named(output)) if template_name.endswith(".html") else output

    def _guarded(self, page: str) -> str:
        """The page as readers get it, with its policy; the server of drafts sends that itself, as it adds a script."""
        return guarded(unbroken(page), self._scripts) if self._published else unbroken(page)

    @event_priority(-100)  # after the search has written its index
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Write the pages in frames, bring what is kept, complete the search, and record what was published."""
        site, aside = Path(config.site_dir), self._content.maker.aside
        for made in self._framed.values():
            meta = _meta(made) | self._cards.of(made.address)
            page = self._guarded(self._frames.around(self._content.whole(made), meta))
            # As MkDocs writes its own pages: half of a surrogate pair has no bytes in UTF-8.
            write_file(page.encode("utf-8", errors="xmlcharrefreplace"), f"{aside or site}/{made.address}{PAGE}")
        if aside:
            bring(aside, site)
        complete_index(site, self.kept.found())
        if self._published:
            self._content.keep()

    def on_serve(self, server: Any, /, *, config: MkDocsConfig, builder: Any) -> Any:  # noqa: ARG002 - the event's signature
        """Rebuild when results, templates or assets change, and send every page with its policy, to this machine alone.
        `server` is a LiveReloadServer, which a build does not load.
        """
        from mkdocs import livereload  # noqa: PLC0415 - as above

        # MkDocs fills in ${name}, our own templates {{ name }}; in the latter form the policy allows any number there.
        reload = NUMBER.sub("{{ number }}", livereload._SCRIPT_TEMPLATE_STR)
        own = scripts_of([f"<script>{reload}</script>"])
        page = guarding(server.serve_request, lambda: re.compile(f"{self._scripts.pattern}|{own.pattern}"))
        server.set_app(at_home(page, server.root))
        for place in (*_project(config, self.config.settings).places, Path(self.config.templates), ASSETS, THEME):
            if place.exists():
                server.watch(str(place))
        return server


def _file(config: MkDocsConfig, name: str, content: str | bytes | Path) -> File:
    if isinstance(content, Path):
        return File.generated(config, name, abs_src_path=str(content))
    return File.generated(config, name, content=content)


def _project(config: MkDocsConfig, name: str) -> Project:
    """The project of the settings file beside the configuration; if there is no such file, no list chooses among the
    results, and all are shown.
    """
    settings = Path(config.config_file_path).parent / name
    return read_project(settings) if settings.is_file() else Project(settings.parent, UNLISTED)


def _meta(page: Page) -> dict[str, Any]:
    """What front matter would say about a page. Titles are escaped here, because the theme does not do it."""
    meta: dict[str, Any] = {"title": html.escape(page.title), "description": html.escape(page.description)}
    meta |= {"dataset": page.dataset} if page.dataset else {}
    if not page.search:
        meta["search"] = {"exclude": True}
    return meta | {"hide": ["navigation", "toc"] if page.wide else ["toc"]}
