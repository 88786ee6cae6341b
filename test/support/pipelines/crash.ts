import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../eventually.ts'
import { createInstallation, type ServerProcess, startServer } from '../process.ts'
import { makeToken } from '../token.ts'
import { type Client, clientOf } from './client.ts'
import { hostsOf } from './hosts-of.ts'
import { fileToObjects, generateToSeries, type Proof } from './proofs.ts'

const RUN_LIMIT_MS = 60_000

export interface CrashFigures {
  readonly serverKills: number
  readonly hostKills: number
  /** How many runs had their output compared, and how often they were interrupted. */
  readonly runs: number
  readonly interruptions: number
}

/**
 * Kills the server, or only the processes of its pipelines, at random moments while two pipelines run, and starts it again on
 * the same data. Whenever a run has completed its output is compared, record by record, with what it has to be.
 */
export async function crashPipelines(
  kills: { readonly server: number; readonly host: number },
  tell = (_line: string) => {}
): Promise<CrashFigures> {
  const { env, drop } = await createInstallation()
  const token = await makeToken(env, 'crash')
  let server: ServerProcess = await startServer(env)
  const client = (): Client => clientOf(server.url, token)
  const figures = { serverKills: 0, hostKills: 0, runs: 0, interruptions: 0 }
  try {
    let proofs: Proof[] = await Promise.all([generateToSeries(client(), 0), fileToObjects(client(), 0)])
    const total = kills.server + kills.host
    for (let kill = 0; kill < total; kill++) {
      await eventually(() => allRun(client(), proofs), RUN_LIMIT_MS)
      // The moment is random on purpose. A pipeline that never makes progress is rightly given up, so some pauses are
      // longer.
      await delay(randomInt(kill % 3 === 0 ? 500 : 0, 900))
      // Both kinds of kills are spread evenly.
      if ((kill + 1) * kills.server > figures.serverKills * total + total - 1) {
        await server.stop('SIGKILL')
        figures.serverKills += 1
        server = await startServer(env)
      } else {
        for (const pid of hostsOf(server.pid)) process.kill(pid, 'SIGKILL')
        figures.hostKills += 1
      }
      figures.interruptions += proofs.length
      proofs = await Promise.all(proofs.map((proof) => nextIfDone(client(), proof, figures)))
      tell(`kill ${kill + 1} of ${total}, ${figures.runs} runs proven`)
    }
    for (const proof of proofs) await prove(client(), proof, figures)
    const ended = await server.stop('SIGTERM')
    assert.equal(ended.code, 0, ended.stderr)
    return figures
  } finally {
    await server.stop('SIGKILL').catch(() => {})
    await drop()
  }
}

async function allRun(client: Client, proofs: readonly Proof[]): Promise<true> {
  for (const { pipelineId } of proofs) {
    const { status, error } = await client.get(`/pipelines/${pipelineId}`)
    assert.ok(status === 'running' || status === 'completed', `${status} ${JSON.stringify(error)}`)
  }
  return true
}

async function nextIfDone(client: Client, proof: Proof, figures: { runs: number }): Promise<Proof> {
  const { status } = await client.get(`/pipelines/${proof.pipelineId}`)
  if (status !== 'completed') return proof
  await prove(client, proof, figures)
  return proof.another(client)
}

async function prove(client: Client, proof: Proof, figures: { runs: number }): Promise<void> {
  const pipeline = await eventually(async () => {
    const found = await client.get(`/pipelines/${proof.pipelineId}`)
    assert.notEqual(found.status, 'failed', JSON.stringify(found.error))
    return found.status === 'completed' && found
  }, RUN_LIMIT_MS)
  assert.equal(pipeline.run.balanced, true, 'the books balance')
  await proof.check(client, pipeline.run.ledger)
  figures.runs += 1
}
