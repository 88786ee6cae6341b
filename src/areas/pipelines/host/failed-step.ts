import type { DuckDBConnection } from '@duckdb/node-api'
import { toFault } from '../contract/faults.ts'
import type { PipelineNode, StatefulType } from '../contract/node-type.ts'
import type { Steps } from '../contract/steps.ts'
import { bisect } from './bisect.ts'
import type { Flows } from './flows.ts'
import { isAboutTypes } from './refusals.ts'
import type { TrackedFlow } from './tracked-flow.ts'

/** A step of a node that remembers, which has failed over some records and changed nothing. */
interface FailedStep {
  readonly node: PipelineNode
  readonly type: StatefulType
  readonly run: Steps
  readonly flows: Flows
  readonly database: DuckDBConnection
}

/** The inputs of a step without the records that make it fail. */
export async function withoutFaults(
  failed: FailedStep,
  given: readonly (TrackedFlow | undefined)[],
  error: unknown
): Promise<(TrackedFlow | undefined)[]> {
  const fault = toFault(error)
  const isLoose = given.some((flow) => flow?.base.isLoose === true)
  if (fault.kind !== 'records' && !(isLoose && isAboutTypes(error))) throw fault
  const inputs: (TrackedFlow | undefined)[] = []
  for (const [i, flow] of given.entries()) {
    inputs.push(flow === undefined ? undefined : await probed(failed, i, flow))
  }
  return inputs
}

/** The records of a flow with which the step does not fail; undefined where it takes none of them. */
async function probed(
  { node, type, run, flows, database }: FailedStep,
  input: number,
  flow: TrackedFlow
): Promise<TrackedFlow | undefined> {
  const inputId = node.inputs[input] as string
  const clean = await flows.materialized(await flows.cleaned(flow))
  const first = await probe(run, input, clean)
  if (first === undefined) return clean
  if (first.kind !== 'records') {
    if (clean.base.isLoose !== true || !isAboutTypes(first)) throw first
    run.refused?.(await flows.refuse(node, clean, first, inputId))
    return undefined
  }
  const records = clean as TrackedFlow & { table: string }
  const parts = [...(type.sql?.(node.config as never) ?? []), ...(run.casts?.(input, clean.columns) ?? [])]
  const judged = (await flows.sifting.judge(parts, records))?.caught ?? []
  await flows.reject(node, clean, judged, inputId)
  run.refused?.(judged)
  const rows = judged.map(({ row }) => row)
  const sifted = await flows.without(clean, rows)
  if (judged.length > 0 && (await probe(run, input, sifted)) === undefined) return sifted
  const caught = await bisect(database, sifted as typeof records, async (where) => {
    const found = await probe(run, input, { ...sifted, sql: `${sifted.sql} WHERE ${where}` })
    if (found !== undefined) throw found
  })
  await flows.reject(node, sifted, caught, inputId)
  run.refused?.(caught)
  return flows.without(
    sifted,
    caught.map(({ row }) => row)
  )
}

/** What is wrong with records that a step is to take; undefined where nothing is. */
async function probe(run: Steps, input: number, flow: TrackedFlow) {
  try {
    await run.probe(input, flow)
    return undefined
  } catch (error) {
    return toFault(error)
  }
}
