#!/usr/bin/env python3
"""Tools/docs-pages.py ARCHIVE FOLDER: writes DocC's archive as plain pages that a browser opens from disk.

DocC's own pages are empty until a script has fetched the text, which browsers forbid for files. Each page written here
holds its text, needs no script, and links to the others relatively. A link that leads nowhere is an error.
"""
import html
import json
import os
import re
import sys

STYLE = """
:root { color-scheme: light dark; --edge: #8884; --soft: #8881; --quiet: #777; --link: #0a60c2; --word: #a3268f; }
@media (prefers-color-scheme: dark) { :root { --link: #6cb4ff; --word: #ff7ab2; } }
body { font: 16px/1.55 system-ui, sans-serif; margin: 0 auto; max-width: 54rem; padding: 1rem 1.5rem 4rem; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
nav { border-bottom: 1px solid var(--edge); color: var(--quiet); padding-bottom: .6rem; }
h1 { margin: .2rem 0 .6rem; overflow-wrap: anywhere; } h2 { margin-top: 2.4rem; }
.eyebrow { color: var(--quiet); margin: 1.6rem 0 0; } .abstract { font-size: 1.15rem; }
code, pre { font: .9em/1.45 ui-monospace, monospace; } pre { background: var(--soft); border-radius: .4rem;
  overflow-x: auto; padding: .8rem 1rem; } pre.declaration { white-space: pre-wrap; } pre .new { background: #3a35;
  display: inline-block; min-width: 100%; } .keyword, .attribute { color: var(--word); }
dt { margin-top: .8rem; } dd { margin: .1rem 0 0 1.5rem; } table { border-collapse: collapse; }
td, th { border: 1px solid var(--edge); padding: .3rem .6rem; text-align: left; } img { max-width: 100%; }
aside { border-left: .25rem solid var(--edge); padding: .1rem 1rem; } .file { color: var(--quiet); margin-bottom: 0; }
"""


def fail(what):
    sys.exit(f"docs: {what}")


# The names of operators' characters in paths.
OPERATORS = {
    "&": "and", "|": "or", "!": "not", "<": "less", ">": "greater", "=": "equal", "+": "plus", "-": "minus", "*": "times",
    "%": "rest", "^": "xor", "~": "tilde",
}


def slug(url):
    """The path of a page: DocC's, without characters that some file systems and browsers treat specially."""
    parts = [
        re.sub(r"^[-&|!<>=+*%^~]+", lambda found: "-".join(OPERATORS[sign] for sign in found[0]), part)
        for part in url.strip("/").split("/")
    ]
    parts = [re.sub(r"[^a-z0-9_.-]+", "-", part.lower()).strip("-") for part in parts]
    return "/".join(part or "operator" for part in parts) + ".html"


class Site:
    def __init__(self, archive):
        self.archive = archive
        self.pages = {}
        for folder, _, files in os.walk(os.path.join(archive, "data")):
            for name in sorted(files):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    page = json.load(file)
                if "identifier" in page:
                    self.add(page)

    def add(self, page):
        url = "/" + page["identifier"]["url"].split("/", 3)[3]
        for variant in page.get("variants", []):
            url = variant["paths"][0]
        path = slug(url)
        if path in self.pages:
            fail(f"two pages would be {path}")
        self.pages[path] = page


class Page:
    """One page of render JSON, as HTML."""

    def __init__(self, site, path, page):
        self.site, self.path, self.page = site, path, page
        self.references = page.get("references", {})

    # Links

    def relative(self, path):
        return os.path.relpath(path, os.path.dirname(self.path) or ".")

    def target(self, url):
        """The relative link to DocC's absolute URL."""
        if not url.startswith("/"):
            return url
        place, _, anchor = url.partition("#")
        path = slug(place)
        if path not in self.site.pages:
            fail(f"{self.path} links to {url}, which is no page")
        return self.relative(path) + (f"#{anchor}" if anchor else "")

    def link(self, identifier, code=False, title=None):
        found = self.references.get(identifier)
        if found is None:
            fail(f"{self.path} refers to {identifier}, which is not known")
        text = title or html.escape(found.get("title", identifier))
        if code:
            text = f"<code>{text}</code>"
        url = found.get("url")
        # An identifier without a page is a name of Swift's own.
        return f'<a href="{html.escape(self.target(url))}">{text}</a>' if url else text

    def image(self, identifier):
        found = self.references[identifier]
        source = os.path.join(self.site.archive, found["variants"][0]["url"].lstrip("/"))
        if not source.endswith(".svg"):
            fail(f"{identifier} must be an SVG, so that it can be part of the page")
        with open(source, encoding="utf-8") as file:
            drawing = re.sub(r"<\?xml.*?\?>\s*", "", file.read())
        return f'<figure role="img" aria-label="{html.escape(found.get("alt") or "")}">{drawing}</figure>'

    # Text

    def inline(self, nodes):
        return "".join(self.span(node) for node in nodes or [])

    def span(self, node):
        kind = node["type"]
        if kind == "text":
            return html.escape(node["text"])
        if kind == "codeVoice":
            return f"<code>{html.escape(node['code'])}</code>"
        if kind == "reference":
            found = self.references.get(node["identifier"], {})
            title = self.inline(node.get("overridingTitleInlineContent"))
            return self.link(node["identifier"], found.get("kind") == "symbol", title)
        if kind == "image":
            return self.image(node["identifier"])
        tag = {"emphasis": "em", "strong": "strong", "newTerm": "em", "inlineHead": "strong"}.get(kind)
        if tag is None:
            fail(f"{self.path} has text of an unknown kind: {kind}")
        return f"<{tag}>{self.inline(node['inlineContent'])}</{tag}>"

    def blocks(self, nodes):
        return "\n".join(self.block(node) for node in nodes or [])

    def block(self, node):
        kind = node["type"]
        if kind == "paragraph":
            return f"<p>{self.inline(node['inlineContent'])}</p>"
        if kind == "heading":
            level = max(2, min(4, node["level"]))
            return f'<h{level} id="{html.escape(node["anchor"])}">{html.escape(node["text"])}</h{level}>'
        if kind == "codeListing":
            return self.listing(node["code"])
        if kind in ("unorderedList", "orderedList"):
            tag = "ul" if kind == "unorderedList" else "ol"
            items = "".join(f"<li>{self.blocks(item['content'])}</li>" for item in node["items"])
            return f"<{tag}>{items}</{tag}>"
        if kind == "aside":
            return f"<aside><strong>{html.escape(node.get('name') or node['style'])}</strong>{self.blocks(node['content'])}</aside>"
        if kind == "table":
            rows = "".join(
                "<tr>" + "".join(f"<td>{self.blocks(cell)}</td>" for cell in row) + "</tr>" for row in node["rows"])
            return f"<table>{rows}</table>"
        fail(f"{self.path} has a block of an unknown kind: {kind}")

    def listing(self, lines, before=None):
        """Code. Lines that `before` did not have are marked; without it, none."""
        old = set(before) if before is not None else None
        shown = []
        for line in lines:
            text = html.escape(line) or " "
            shown.append(f'<span class="new">{text}</span>' if old is not None and line not in old else text)
        return "<pre><code>" + "\n".join(shown) + "</code></pre>"

    def declaration(self, tokens):
        parts = []
        for token in tokens:
            text = html.escape(token["text"])
            found = self.references.get(token.get("identifier"), {})
            if found.get("url"):
                text = f'<a href="{html.escape(self.target(found["url"]))}">{text}</a>'
            elif token["kind"] in ("keyword", "attribute"):
                text = f'<span class="keyword">{text}</span>'
            parts.append(text)
        return f'<pre class="declaration"><code>{"".join(parts)}</code></pre>'

    # Sections

    def primary(self, section):
        kind = section["kind"]
        if kind == "declarations":
            return "".join(self.declaration(each["tokens"]) for each in section["declarations"])
        if kind == "content":
            return self.blocks(section["content"])
        if kind == "parameters":
            rows = "".join(
                f"<dt><code>{html.escape(each['name'])}</code></dt><dd>{self.blocks(each['content'])}</dd>"
                for each in section["parameters"])
            return f"<h2>Parameters</h2><dl>{rows}</dl>"
        if kind == "mentions":
            return "<h2>Mentioned in</h2><ul>" + "".join(f"<li>{self.link(m)}</li>" for m in section["mentions"]) + "</ul>"
        fail(f"{self.path} has a section of an unknown kind: {kind}")

    def groups(self, heading, sections):
        """Groups of links, each with its abstract."""
        if not sections:
            return ""
        parts = [f"<h2>{heading}</h2>"]
        for section in sections:
            parts.append(f"<h3>{html.escape(section.get('title') or heading)}</h3>")
            parts.append("<dl>")
            for identifier in section["identifiers"]:
                found = self.references[identifier]
                fragments = "".join(part["text"] for part in found.get("fragments", []))
                isCode = found.get("kind") == "symbol"
                title = html.escape(fragments) if isCode and fragments else None
                parts.append(f"<dt>{self.link(identifier, isCode, title)}</dt>")
                parts.append(f"<dd>{self.inline(found.get('abstract'))}</dd>")
            parts.append("</dl>")
        return "\n".join(parts)

    def relations(self):
        parts = []
        for section in self.page.get("relationshipsSections", []):
            names = ", ".join(self.link(each, True) for each in section["identifiers"])
            parts.append(f"<h3>{html.escape(section['title'])}</h3><p>{names}</p>")
        return "<h2>Relationships</h2>" + "".join(parts) if parts else ""

    def symbol(self):
        meta = self.page["metadata"]
        parts = [
            f'<p class="eyebrow">{html.escape(meta.get("roleHeading", ""))}</p><h1>{html.escape(meta["title"])}</h1>',
            f'<p class="abstract">{self.inline(self.page.get("abstract"))}</p>',
        ]
        parts += [self.primary(section) for section in self.page.get("primaryContentSections", [])]
        parts.append(self.groups("Topics", self.page.get("topicSections")))
        parts.append(self.groups("Default Implementations", self.page.get("defaultImplementationsSections")))
        parts.append(self.relations())
        parts.append(self.groups("See Also", self.page.get("seeAlsoSections")))
        return "\n".join(parts)

    # Tutorials

    def tutorial(self):
        parts = []
        for section in self.page["sections"]:
            kind = section["kind"]
            if kind == "hero":
                minutes = section.get("estimatedTimeInMinutes")
                parts.append(f'<p class="eyebrow">Tutorial{f", {minutes} minutes" if minutes else ""}</p>')
                parts.append(f"<h1>{html.escape(section['title'])}</h1>{self.blocks(section['content'])}")
            elif kind == "tasks":
                parts += [self.task(number, task) for number, task in enumerate(section["tasks"], 1)]
            elif kind == "volume":
                parts += [self.chapter(chapter) for chapter in section["chapters"]]
            else:
                fail(f"{self.path} has a section of an unknown kind: {kind}")
        return "\n".join(parts)

    def chapter(self, chapter):
        links = []
        for identifier in chapter["tutorials"]:
            found = self.references[identifier]
            links.append(f"<dt>{self.link(identifier)}</dt><dd>{self.inline(found.get('abstract'))}</dd>")
        image = self.image(chapter["image"]) if chapter.get("image") else ""
        return (f"<h2>{html.escape(chapter['name'])}</h2>{image}{self.blocks(chapter['content'])}"
                f"<dl>{''.join(links)}</dl>")

    def task(self, number, task):
        parts = [f'<h2 id="{html.escape(task["anchor"])}">{number}. {html.escape(task["title"])}</h2>']
        for section in task["contentSection"]:
            parts.append(self.blocks(section.get("content")))
            if section.get("media"):
                parts.append(self.image(section["media"]))
        parts.append("<ol>")
        # A step of code marks the lines that the step before did not have.
        before = {}
        for step in task["stepsSection"]:
            if step["type"] != "step":
                parts.append(self.block(step))
                continue
            parts.append(f"<li>{self.blocks(step['content'])}{self.blocks(step.get('caption'))}")
            if step.get("code"):
                file = self.references[step["code"]]
                parts.append(f'<p class="file">{html.escape(file["fileName"])}</p>')
                isCode = file.get("fileType") == "swift"
                parts.append(self.listing(file["content"], before.get(file["fileName"]) if isCode else None))
                before[file["fileName"]] = file["content"]
            parts.append("</li>")
        parts.append("</ol>")
        return "\n".join(parts)

    def text(self):
        body = self.symbol() if self.page["kind"] in ("symbol", "article") else self.tutorial()
        trail = [f'<a href="{self.relative("index.html")}">PotluckKit</a>']
        for path in self.page.get("hierarchy", {}).get("paths", [])[:1]:
            trail += [self.link(each) for each in path[1:] if self.references.get(each, {}).get("url") in self.urls()]
        title = html.escape(self.page["metadata"].get("title", "PotluckKit"))
        return (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
                f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>\n'
                f'<body><nav>{" › ".join(trail)}</nav>\n<main>\n{body}\n</main></body></html>\n')

    def urls(self):
        """The URLs of this page's references that are pages. A chapter of tutorials has a URL and no page."""
        return {each["url"] for each in self.references.values()
                if each.get("url", "").startswith("/") and slug(each["url"]) in self.site.pages}


def check_links(folder, paths):
    """Every relative link leads to a file that is there, and to an anchor in it."""
    texts = {}
    for path in paths:
        with open(os.path.join(folder, path), encoding="utf-8") as file:
            texts[path] = file.read()
    count = 0
    for path, text in texts.items():
        for link in re.findall(r'href="([^"]*)"', text):
            place, _, anchor = html.unescape(link).partition("#")
            if "://" in place:
                continue
            target = os.path.normpath(os.path.join(os.path.dirname(path), place)) if place else path
            if target not in texts:
                fail(f"{path} links to {place}, which is not there")
            if anchor and f'id="{html.escape(anchor)}"' not in texts[target]:
                fail(f"{path} links to #{anchor}, which is not in {target}")
            count += 1
    return count


def main():
    archive, folder = sys.argv[1:]
    site = Site(archive)
    start = "documentation/potluckkit.html"
    if start not in site.pages:
        fail("DocC made no page of the module")
    # The first page is in the folder itself, where people look for it.
    site.pages["index.html"] = site.pages[start]
    for path, page in site.pages.items():
        place = os.path.join(folder, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w", encoding="utf-8") as file:
            file.write(Page(site, path, page).text())
    links = check_links(folder, site.pages)
    print(f"{len(site.pages)} pages, {links} links")


main()
