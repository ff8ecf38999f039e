// The page's end of the engine's worker (its messages are listed in engine-worker.js).
export class EngineLink {
  constructor({status, onMessage, onReady, onModel}) {
    this.status = status;
    this.onMessage = onMessage;
    this.onReady = onReady;
    this.onModel = onModel;
    this.lastOpen = null;      // what to open again
    this.lastRequest = null;
    this.start();
  }

  start() {
    this.worker?.terminate();
    const address = new URL('engine-worker.js', import.meta.url);
    address.search = location.search;   // ?engine=NAME forces a build, for tests
    this.worker = new Worker(address, {type: 'module'});
    this.worker.onmessage = ({data}) => this.take(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.status.showFault(`The engine could not start${event.message ? ` (${event.message})` : ''}: the example stays usable.`, {retry: true});
    };
  }

  take(data) {
    switch (data.type) {
      case 'ready': return this.onReady(data);
      case 'progress': return this.status.showProgress(data);
      case 'message': return this.onMessage(new Uint8Array(data.bytes));
      case 'model':
        this.status.modelLoaded(data);
        return this.onModel(data);
      case 'note': return this.status.note(data.message);
      case 'forgotten': return this.status.note('Stored models were removed.');
      case 'error':
        if (data.scope === 'engine') this.broken = true;
        this.status.hideProgress();
        return this.status.showFault(data.message, {retry: data.retry});
    }
  }

  open(url) { this.post(this.lastOpen = {type: 'open', url: new URL(url, location.href).href}); }
  openFiles(files) { this.post(this.lastOpen = {type: 'openFiles', files: [...files]}); }
  request(request) { this.post({type: 'request', ...request}); }
  stop() { this.post({type: 'stop'}); }
  forget() { this.post({type: 'forget'}); }
  retry() {
    if (this.broken) {
      this.broken = false;
      this.start();
    }
    if (this.lastOpen) this.post(this.lastOpen);
  }
  post(message) { this.worker.postMessage(message); }
}
