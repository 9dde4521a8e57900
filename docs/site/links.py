"""What mkdocs asks before it makes a page of the site: links that leave the site, names of functions, the index of the
search.

Markdown here is also read where the sources are, so it links to them. In the site such a link goes to the reference, if
it is to a public header; to a copy of the file as text; or, if it is to a folder, to its README, if there is one.
"""

import os
import posixpath
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"\[((?:[^][]|\[[^][]*\])*)\]\(([^()\s]+)\)")
CALL = re.compile(r"<code>(pool_\w+)\(\)</code>(?!</a>)")


def on_page_markdown(markdown, page, config, files):
    """Gives each link to a file or folder of the tree a place in the site."""

    def place(link):
        text, target = link.groups()
        path, hash_, anchor = target.partition("#")
        source = posixpath.normpath(posixpath.join(posixpath.dirname(page.file.src_uri), path))
        if not path or source.startswith("..") or source in files.src_uris or not (ROOT / source).exists():
            return link[0]
        goal = in_site(source, config, files)
        if not goal:
            return text
        return f"[{text}]({posixpath.relpath(goal, posixpath.dirname(page.file.src_uri) or '.')}{hash_}{anchor})"

    return LINK.sub(place, markdown)


def in_site(source, config, files):
    """Where in the site this file or folder of the tree is; nowhere: None."""
    if (ROOT / source).is_dir():
        readme = f"{source}/README.md"
        return readme if readme in files.src_uris else None
    header = re.fullmatch(r"include/asyncpool/(\w+)\.(hp*)", source)
    if header:
        return f"reference/{header[1].replace('_', '__')}_8{header[2]}.html"
    copy = File(f"source/{source}.txt", str(ROOT), config["site_dir"], False)
    copy.abs_src_path = str(ROOT / source)
    if copy.src_uri not in files.src_uris:
        files.append(copy)
    return copy.src_uri


def on_config(config):
    """Reads where the reference has each function."""
    tags = ElementTree.parse(os.environ["ASYNCPOOL_TAGS"])
    config["functions"] = {
        member.findtext("name"): f"{member.findtext('anchorfile')}#{member.findtext('anchor')}"
        for member in tags.iter("member")
        if member.get("kind") == "function"
    }
    return config


def on_post_build(config):
    """Gives search.js the index as a script."""
    search = Path(config["site_dir"], "search")
    (search / "search_index.js").write_text("const searchIndex = " + (search / "search_index.json").read_text())


def on_page_content(html, page, config, files):
    """Links `pool_acquire()`, where it stands as code, to the reference."""
    up = posixpath.relpath("reference", posixpath.dirname(page.url) or ".")

    def link(code):
        where = config["functions"].get(code[1])
        return f'<a href="{up}/{where}">{code[0]}</a>' if where else code[0]

    return CALL.sub(link, html)
