"""Opens each page of the site in chromium, wide and narrow, and says which is wider than its window, lacks a picture, or takes
something from elsewhere; and asks the search for what the cookbook has. Pictures of the pages that are named go to a folder.

    tests_c/packages/site.py HTML SCREENS PAGE...
"""

import sys
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

WIDTHS = {"wide": 1280, "narrow": 390}
FAULTS = """
const [window, tell] = arguments;
const ended = image => image.complete || new Promise(end => image.onload = image.onerror = end);
Promise.all([...document.images].map(ended)).then(() => {
    const width = document.documentElement.scrollWidth;
    tell([
        ...(width > window ? [`is ${width} wide`] : []),
        ...[...document.images].filter(e => !e.naturalWidth).map(e => 'not loaded: ' + e.src),
        ...performance.getEntriesByType('resource').filter(e => !e.name.startsWith('file:')).map(e => 'from elsewhere: ' + e.name),
    ]);
});
"""

html, screens, *shown = sys.argv[1:]
pages = sorted(p.relative_to(html) for p in Path(html).rglob("*.html") if "search" not in p.parts)
shown = {Path(page) for page in shown}
assert shown <= set(pages), shown - set(pages)

options = webdriver.ChromeOptions()
options.binary_location = "/usr/bin/chromium"
for option in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
    options.add_argument(option)
browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
found = pictures = 0
try:
    for name, width in WIDTHS.items():
        window = {"width": width, "height": 1400, "deviceScaleFactor": 1, "mobile": name == "narrow"}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", window)
        for page in pages:
            browser.get((Path(html).resolve() / page).as_uri())
            for fault in browser.execute_async_script(FAULTS, width):
                print(f"{page}, {width} wide: {fault}")
                found += 1
            pictures += browser.execute_script("return document.images.length")
            if page in shown:
                browser.save_screenshot(f"{screens}/{'-'.join(page.with_suffix('').parts)}-{name}.png")
    browser.get((Path(html).resolve() / "index.html").as_uri() + "?q=discard")
    answers = (By.CSS_SELECTOR, ".md-search-result__link[href*='cookbook.html']")
    WebDriverWait(browser, 60).until(lambda _: browser.find_elements(*answers), "the search finds nothing")
finally:
    browser.quit()
print(f"{len(pages)} pages, {pictures} pictures, {found} faults")
sys.exit(found > 0 or not pictures)
