import { keepCompiledCode } from '../../../engines/compiled-code.ts'
import { NodeFault } from '../contract/context.ts'
import type { Gateway } from '../contract/gateway.ts'
import { isFed } from '../nodes/http/fed.ts'
import { GATEWAY_METHODS, type HostCalls } from '../protocol/protocol.ts'
import type { RunReports, RunSpec } from '../protocol/run-spec.ts'
import { HostEngines } from './host-engines.ts'
import { HostedRun } from './hosted-run.ts'
import { inPieces } from './letter-pieces.ts'
import { Watch } from './watch.ts'

const REPORT_EVERY_MS = 1000

type Call = <T>(method: string, ...args: unknown[]) => Promise<T>

/** What a host does when the server asks. */
export function createHost(call: Call): { [M in keyof HostCalls]: HostCalls[M] } {
  const runs = new Map<string, HostedRun>()
  const engines = new HostEngines()
  /** Runs that are being made, and those among them that are to end at once. */
  const beginning = new Set<string>()
  const toStop = new Set<string>()

  /** Whether it is heard is of no concern here: a run that was taken over is told so when it commits. */
  const tell = (method: string, ...args: unknown[]): void => void call(method, ...args).catch(() => {})

  return {
    async configure(settings) {
      await engines.configure(settings)
      keepCompiledCode()
    },
    resize: (bytes) => engines.resize(bytes),
    residentBytes: async () => process.memoryUsage.rss(),
    async run(spec) {
      beginning.add(spec.runId)
      const place = await engines.place().finally(() => beginning.delete(spec.runId))
      const reports = reportsOf(call, spec)
      const run = new HostedRun(spec, {
        ...place,
        gateway: gatewayOf(call, spec),
        reports,
        runsHere: () => runs.size,
        onOpen() {
          tell('started', spec.runId)
          keepCompiledCode()
        }
      })
      runs.set(spec.runId, run)
      if (toStop.delete(spec.runId)) run.stop()
      const watch = new Watch(reports)
      const reporting = setInterval(() => {
        tell('figures', spec.runId, run.figures)
        watch.look(run.busy, Date.now())
      }, REPORT_EVERY_MS)
      try {
        return await run.run()
      } finally {
        clearInterval(reporting)
        runs.delete(spec.runId)
      }
    },
    async stop(runId) {
      const run = runs.get(runId)
      if (run !== undefined) run.stop()
      else if (beginning.has(runId)) toStop.add(runId)
    },
    async feed(runId, nodeId, body, requestId) {
      const source = runs.get(runId)?.feedOf(nodeId)?.source
      if (source === undefined || !isFed(source)) {
        throw new NodeFault('transient', 'not_running', 'The pipeline does not take records now')
      }
      return source.feed(body, requestId)
    },
    async replay(runId, order) {
      const run = runs.get(runId)
      if (run === undefined) throw new NodeFault('transient', 'not_running', 'The pipeline does not run now')
      await run.replay(order)
    },
    // What checks and previews need takes a sixth of the time in which a process gets ready, and most never do either.
    check: async (nodes, known) => {
      const { checkNodes } = await import('./check-nodes.ts')
      keepCompiledCode()
      return checkNodes(await engines.database(), nodes, known)
    },
    preview: async (nodes, samples, rights) => {
      const { preview } = await import('./preview.ts')
      keepCompiledCode()
      const judgeSeries: Gateway['judgeSeries'] = (...points) => call('judgeSeries', '', ...points)
      return preview(nodes, samples, { ...(await engines.place()), ...(rights.series && { judgeSeries }) })
    }
  }
}

function gatewayOf(call: Call, { runId }: RunSpec): Gateway {
  const methods = GATEWAY_METHODS.map((method) => [method, (...args: unknown[]) => call(method, runId, ...args)])
  return Object.fromEntries(methods) as Gateway
}

function reportsOf(call: Call, { runId }: RunSpec): RunReports {
  const tell = (method: string, ...args: unknown[]): void => void call(method, runId, ...args).catch(() => {})
  return {
    async commit(commit) {
      // What the server takes in at once is bounded; nobody sees the pieces before the commit that they belong to.
      const pieces = inPieces(commit.deadLetters)
      const last = pieces.pop() ?? []
      for (const piece of pieces) await call('stageLetters', runId, piece)
      await call('commit', runId, { ...commit, deadLetters: last })
    },
    log: (line) => tell('log', line),
    letters: (order, after) => call('letters', runId, order, after),
    trouble: (trouble) => tell('trouble', trouble),
    activity: (activity) => tell('activity', activity),
    checkpointed: (tookMs) => tell('checkpointed', tookMs)
  }
}
