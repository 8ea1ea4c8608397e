/* Keeps a page fresh and draws its charts. The page is whole without it. */
"use strict";
(() => {
  const EVERY_MILLIS = 2000;
  const LONGEST_MILLIS = 10000;
  const FAILURES_TO_TELL = 3;
  const MOST_FAILURES = 7;
  /* The pages of the scheduler, in any ResourceManager. */
  const SCHEDULER = "/cluster/optimus";
  const COLOURS = 8;
  const seen = new Map();
  const plots = new Map();
  const server = document.getElementById("connection").dataset.server;
  let tag = null;
  let failures = 0;

  const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  /* Times in the zone of the reader. */
  function localTimes(root) {
    for (const time of root.querySelectorAll("time")) {
      const at = new Date(time.dateTime);
      if (!Number.isNaN(at.getTime())) {
        time.title = time.textContent;
        time.textContent = at.toLocaleString();
      }
    }
  }

  /* What the server sent last, to compare with: scripts change what is shown. */
  function remember(root) {
    for (const part of root.querySelectorAll("[data-live]")) {
      seen.set(part.id, part.outerHTML);
      for (const row of part.querySelectorAll("tbody tr[id]")) {
        seen.set(row.id, row.outerHTML);
      }
    }
  }

  function put(old, fresh, key) {
    seen.set(key, fresh.outerHTML);
    const focus = old.contains(document.activeElement) ? document.activeElement.id : "";
    const shown = document.importNode(fresh, true);
    localTimes(shown);
    old.replaceWith(shown);
    if (focus) {
      const again = document.getElementById(focus);
      if (again) {
        again.focus({preventScroll: true});
      }
    }
    return shown;
  }

  const rows = part => [...part.querySelectorAll("tbody tr[id]")];
  const ids = part => rows(part).map(row => row.id).join("\n");
  const head = table => [table.caption, table.tHead].map(part => part ? part.outerHTML : "").join("");

  function update(page) {
    for (const fresh of page.querySelectorAll("[data-live]")) {
      const old = document.getElementById(fresh.id);
      if (!old || seen.get(fresh.id) === fresh.outerHTML) {
        continue;
      }
      const sameRows = fresh.tagName === "TABLE" && rows(fresh).length > 0 && ids(fresh) === ids(old)
        && head(fresh) === head(old);
      const text = fresh.outerHTML;
      if (sameRows) {
        for (const row of rows(fresh)) {
          if (seen.get(row.id) !== row.outerHTML) {
            put(document.getElementById(row.id), row, row.id).classList.add("changed");
          }
        }
      } else {
        rows(old).forEach(row => seen.delete(row.id));
        put(old, fresh, fresh.id);
        rows(fresh).forEach(row => seen.set(row.id, row.outerHTML));
      }
      seen.set(fresh.id, text);
    }
    for (const fresh of page.querySelectorAll("[data-chart]")) {
      const old = document.getElementById(fresh.id);
      if (old && old.dataset.chart !== fresh.dataset.chart) {
        old.dataset.chart = fresh.dataset.chart;
        draw(old);
      }
    }
  }

  function connection(text) {
    const status = document.getElementById("connection");
    if (status.textContent !== text) {
      status.textContent = text;
    }
  }

  const ask = more => fetch(location.href, {
    cache: "no-store", credentials: "same-origin", signal: AbortSignal.timeout(LONGEST_MILLIS), ...more
  });

  /* A standby ResourceManager sends its readers to the active one, on another host: a script may not follow. */
  async function moved() {
    try {
      return location.pathname.startsWith(SCHEDULER) && (await ask({redirect: "manual"})).type === "opaqueredirect";
    } catch (e) {
      return false;
    }
  }

  async function refresh() {
    try {
      const answer = await ask({headers: tag ? {"If-None-Match": tag} : {}});
      if (answer.redirected) {
        if (new URL(answer.url).pathname.startsWith(SCHEDULER)) {
          /* When a job has ended, its page in the scheduler takes over. */
          location.replace(answer.url);
          return;
        }
        /* Until the next ApplicationMaster has registered, YARN shows its own page of the application. */
        throw new Error("redirected to " + answer.url);
      }
      if (answer.status === 200) {
        tag = answer.headers.get("ETag");
        update(new DOMParser().parseFromString(await answer.text(), "text/html"));
      } else if (answer.status !== 304 && answer.status !== 404 && answer.status !== 403) {
        throw new Error("HTTP " + answer.status);
      }
      /* A job that the scheduler does not know may register again. */
      const served = answer.ok || answer.status === 304;
      failures = served ? 0 : MOST_FAILURES;
      connection(served ? "" : "This page is not served now. What you see is its last state.");
    } catch (e) {
      failures++;
      if (failures >= FAILURES_TO_TELL) {
        if (await moved()) {
          location.reload();
          return;
        }
        connection("The " + server + " does not answer. What you see is its last state.");
      }
    }
    setTimeout(next, EVERY_MILLIS * (1 + Math.min(MOST_FAILURES, failures)));
  }

  /* A page in the background asks for nothing. */
  function next() {
    if (document.hidden) {
      document.addEventListener("visibilitychange", refresh, {once: true});
    } else {
      refresh();
    }
  }

  function series(data) {
    let lines = 0;
    return data.series.map(each => {
      const edge = each.kind === "EDGE";
      const points = each.kind === "POINTS";
      /* Samples have the colour of the line before them. */
      const stroke = colour("--c" + ((points && lines > 0 ? lines - 1 : edge ? 0 : lines) % COLOURS));
      if (each.kind === "LINE" || each.kind === "STEPS") {
        lines++;
      }
      return {
        label: each.label,
        stroke: points && data.series[0] === each ? colour("--soft") : stroke,
        width: points ? 0 : edge ? 0.5 : 2,
        dash: each.kind === "DASHED" ? [6, 4] : undefined,
        paths: points ? () => null : each.kind === "STEPS" ? uPlot.paths.stepped({align: 1}) : undefined,
        points: {show: points, size: 5, fill: points ? stroke : undefined},
        spanGaps: !points
      };
    });
  }

  function bands(data) {
    const edges = data.series.map((each, i) => each.kind === "EDGE" ? i + 1 : 0).filter(i => i > 0);
    return edges.length === 2 ? [{series: edges, fill: colour("--c0") + "33"}] : [];
  }

  function marks(data) {
    return plot => {
      const {ctx, bbox} = plot;
      ctx.save();
      ctx.strokeStyle = colour("--leaving");
      ctx.fillStyle = colour("--leaving");
      ctx.setLineDash([6, 4]);
      ctx.textAlign = "right";
      ctx.font = 12 * devicePixelRatio + "px sans-serif";
      for (const mark of data.marks) {
        const x = plot.valToPos(mark.x, "x", true);
        ctx.beginPath();
        ctx.moveTo(x, bbox.top);
        ctx.lineTo(x, bbox.top + bbox.height);
        ctx.stroke();
        ctx.fillText(mark.label, x - 6, bbox.top + 14 * devicePixelRatio);
      }
      ctx.restore();
    };
  }

  function draw(place) {
    const data = JSON.parse(place.dataset.chart);
    const old = plots.get(place.id);
    if (data.x.length === 0 || !data.series.some(each => each.values.some(value => value !== null))) {
      return;
    }
    const time = data.xLabel === "time";
    const x = time ? data.x.map(millis => millis / 1000) : data.x;
    const values = [x, ...data.series.map(each => each.values)];
    const shape = JSON.stringify(data.series.map(each => [each.label, each.kind]));
    if (old && old.shape === shape) {
      old.data.marks = data.marks;
      old.plot.setData(values);
      place.dataset.drawn = String(x.length);
      return;
    }
    if (old) {
      old.plot.destroy();
    }
    const axis = label => ({
      label, stroke: colour("--text"), labelSize: 24, labelFont: "12px sans-serif", font: "11px sans-serif",
      grid: {stroke: colour("--faint"), width: 1}, ticks: {stroke: colour("--line"), width: 1}
    });
    const whole = data.yLabel === "tasks" ? {incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]} : {};
    const most = Math.max(...x);
    const plot = new uPlot({
      width: width(place), height: 260,
      scales: {
        x: {time, range: (u, low, high) => [low, Math.max(high, low + 1, ...data.marks.map(mark => mark.x * 1.02))]},
        y: {range: (u, low, high) => low === null ? [0, 1]
          : data.yLabel === "loss" ? uPlot.rangeNum(low, high, 0.1, true) : [0, high * 1.1 || 1]}
      },
      axes: [
        {...axis(time ? "" : data.xLabel), ...(data.xLabel === "workers" && most < 12 ? {incrs: [1]} : {})},
        {...axis(data.yLabel), ...whole, size: 60}
      ],
      series: [{label: data.xLabel}, ...series(data)],
      bands: bands(data),
      hooks: {draw: [marks(data)]},
      cursor: {drag: {x: false, y: false}}
    }, values, place);
    plots.set(place.id, {plot, shape, data});
    place.dataset.drawn = String(x.length);
  }

  const width = place => Math.max(240, Math.min(900, place.clientWidth));

  function drawAll() {
    for (const place of document.querySelectorAll("[data-chart]")) {
      const old = plots.get(place.id);
      if (old) {
        old.plot.destroy();
        plots.delete(place.id);
      }
      draw(place);
    }
  }

  addEventListener("resize", () => {
    for (const [id, {plot}] of plots) {
      plot.setSize({width: width(document.getElementById(id)), height: 260});
    }
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  remember(document);
  localTimes(document);
  drawAll();
  setTimeout(next, EVERY_MILLIS);
})();
