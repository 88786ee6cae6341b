import { createHash } from 'node:crypto'

/** An event as producers send it: no more is known of it than what the simulators put in. */
export interface RawEvent {
  readonly eventType: 'START' | 'RUNNING' | 'COMPLETE' | 'FAIL' | 'ABORT' | 'OTHER'
  readonly eventTime: string
  readonly producer: string
  readonly schemaURL: string
  readonly run: { readonly runId: string; readonly facets?: object }
  readonly job: { readonly namespace: string; readonly name: string; readonly facets?: object }
  readonly inputs?: readonly RawDataset[]
  readonly outputs?: readonly RawDataset[]
}

export interface RawDataset {
  readonly namespace: string
  readonly name: string
  readonly facets?: object
}

/** A run that has been started. */
export interface RawRun {
  readonly runId: string
  readonly job: { readonly namespace: string; readonly name: string }
}

/** Makes the events of one producer. */
export class Producer {
  readonly #producer: string
  readonly #seed: number
  #runs = 0

  constructor(integration: string, seed: number) {
    this.#producer = `https://github.com/OpenLineage/OpenLineage/tree/1.38.0/integration/${integration}`
    this.#seed = seed
  }

  run(namespace: string, name: string): RawRun {
    this.#runs += 1
    const hex = createHash('sha256').update(`${this.#producer} ${this.#seed} ${this.#runs}`).digest('hex')
    const runId = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(12, 15)}-8${hex.slice(15, 18)}-${hex.slice(18, 30)}`
    return { runId, job: { namespace, name } }
  }

  facet(name: string, parts: object): object {
    const schema = `https://openlineage.io/spec/facets/1-0-1/${name}.json#/$defs/${name}`
    return { _producer: this.#producer, _schemaURL: schema, ...parts }
  }

  parent({ job, runId }: RawRun): object {
    return { parent: this.facet('ParentRunFacet', { run: { runId }, job }) }
  }

  schema(columns: readonly string[]): object {
    const fields = columns.map((name) => ({ name, type: name.endsWith('_at') ? 'timestamp' : 'string' }))
    return this.facet('SchemaDatasetFacet', { fields })
  }

  event(
    eventType: RawEvent['eventType'],
    timeMs: number,
    { runId, job }: RawRun,
    more: { run?: object; job?: object; inputs?: readonly RawDataset[]; outputs?: readonly RawDataset[] } = {}
  ): RawEvent {
    return {
      eventType,
      eventTime: new Date(timeMs).toISOString(),
      producer: this.#producer,
      schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
      run: { runId, facets: more.run ?? {} },
      job: { ...job, facets: more.job ?? {} },
      ...(more.inputs && { inputs: more.inputs }),
      ...(more.outputs && { outputs: more.outputs })
    }
  }
}
