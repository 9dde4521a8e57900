// The search of a page that is read from the disk, without a server. Browsers let such a page neither fetch the index nor start a
// worker; but it may load scripts. So the index is one there, and what looks like a worker to the theme runs in a frame.
if (location.protocol === 'file:') {
    const top = new URL('../../', document.currentScript.src);

    function load(document, url) {
        return new Promise((loaded, failed) => {
            const script = document.createElement('script');
            Object.assign(script, { src: url, onload: loaded, onerror: failed });
            document.body.append(script);
        });
    }

    window.__search = { index: load(document, new URL('search/search_index.js', top)).then(() => searchIndex) };

    window.Worker = class extends EventTarget {
        constructor(url) {
            super();
            const frame = document.createElement('iframe');
            frame.hidden = true;
            document.body.append(frame);
            this.window = frame.contentWindow;
            this.window.postMessage = data => this.dispatchEvent(new MessageEvent('message', { data }));
            this.window.importScripts = (...urls) => Promise.all(urls.map(url => load(this.window.document, url)));
            this.ready = load(this.window.document, url);
        }

        postMessage(data) {
            this.ready.then(() => this.window.dispatchEvent(new MessageEvent('message', { data })));
        }
    };
}
