// Status line, progress and faults.
const byId = (id) => document.getElementById(id);
const megabytes = (bytes) => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);

function duration(seconds) {
  if (!Number.isFinite(seconds)) return '';
  return seconds < 90 ? `${Math.ceil(seconds)} s left` : `${Math.ceil(seconds / 60)} min left`;
}

export class Status {
  constructor() {
    this.engine = '';
    this.model = '';
    this.noteText = '';
    this.progressing = false;
  }

  showProgress({bytes, total, rate, secondsLeft, source, layersReady}) {
    this.progressing = total > 0 && bytes < total;
    byId('progress').hidden = !this.progressing;
    const percent = total > 0 ? Math.floor(100 * bytes / total) : 0;
    const text = ['loading the model', `${megabytes(bytes)} of ${megabytes(total)} MB`, rate > 0 ? `${megabytes(rate)} MB/s` : '',
      duration(secondsLeft), layersReady ? `${layersReady} layer${layersReady === 1 ? '' : 's'} ready` : '', source === 'cache' ? "from this browser's store" : ''].filter(Boolean).join(' · ');
    byId('progress-bar').value = percent;
    byId('progress').setAttribute('aria-valuenow', percent);
    byId('progress').setAttribute('aria-valuetext', text);
    byId('progress-text').textContent = text;
    this.model = `loading, ${percent} %`;
    this.line();
  }

  hideProgress() {
    this.progressing = false;
    byId('progress').hidden = true;
    this.model = '';
    this.line();
  }

  engineReady({variant, threads, isolated}) {
    const math = variant.startsWith('relaxed') ? 'fused multiply-add' : 'plain SIMD';
    this.engine = `${threads} thread${threads === 1 ? '' : 's'}${threads === 1 && !isolated ? ' (the server does not allow more)' : ''}, ${math}`;
    this.line();
  }

  modelLoaded({name, storage, network}) {
    this.hideProgress();
    this.noteText = '';
    this.model = `${name}, ${storage === 'F16' ? 'fp16' : storage} weights${network === 0 ? ', cached' : ''}`;
    this.line();
  }

  note(text) {
    this.noteText = text;
    this.line();
  }

  showReport(report) {
    const layers = report.layers ? `layer ${report.layersDone}/${report.layers}` : '';
    this.run = report.stale ? 'of the text before, the new one is on its way'
      : report.fromSnapshot ? (report.model.live ? layers : 'example, computed before')
      : [layers, report.done ? `${report.ms >= 1000 ? (report.ms / 1000).toFixed(2) + ' s' : Math.round(report.ms) + ' ms'}` : 'computing'].filter(Boolean).join(' · ');
    this.cut = report.cut > 0 ? `${report.cut} pieces did not fit the model and were left out` : '';
    if (report.fault) this.showFault(report.fault.message, {retry: report.fault.scope === 'model'});
    byId('stop').hidden = !(report.running && report.model.live) && !this.progressing;
    this.line();
  }

  line() {
    byId('status').textContent = [this.run, this.engine, this.model, this.cut, this.noteText].filter(Boolean).join(' · ') || 'Starting …';
  }

  showFault(text, {retry = false, reload = false} = {}) {
    byId('fault').hidden = false;
    byId('fault-text').textContent = text;
    byId('retry').hidden = !retry && !reload;
    byId('retry').textContent = reload ? 'Reload' : 'Try again';
    if (reload) byId('retry').onclick = () => location.reload();
  }

  clearFault() { byId('fault').hidden = true; }
}
