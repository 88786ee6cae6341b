import type { ColumnMapping, MappingKind, Sighting } from '../../src/areas/lineage/sighting.ts'
import { startTestApp, type TestApp, type TestAppOptions } from './app.ts'

/** A server with a graph that tests draw in few words. */
export class LineageWorld {
  readonly test: TestApp
  #runs = 0

  private constructor(test: TestApp) {
    this.test = test
  }

  static async start(options: TestAppOptions = {}): Promise<LineageWorld> {
    return new LineageWorld(await startTestApp(options))
  }

  async saw(...sightings: readonly Sighting[]): Promise<void> {
    const { app, platform } = this.test
    const lineage = await app.service('lineage')
    await platform.metadata.transaction((tx) => lineage.saw(tx, sightings))
  }

  /** `a + b > job > c` is a run of a job that reads a and b, and writes c. Names are those of datasets. */
  async draw(timeMs: number, ...lines: readonly string[]): Promise<void> {
    await this.saw(...lines.map((line) => this.#sightingOf(line, timeMs)))
  }

  #sightingOf(line: string, timeMs: number): Sighting {
    const [inputs = '', job = '', outputs = ''] = line.split('>').map((part) => part.trim())
    const data = (names: string) =>
      names
        .split(' + ')
        .filter((name) => name !== '')
        .map((name) => ({ reference: data_(name) }))
    return {
      job: { reference: job_(job) },
      run: { id: `run${++this.#runs}`, state: 'completed', timeMs, isWhole: true },
      inputs: data(inputs),
      outputs: data(outputs),
      columns: [],
      provenance: { how: 'captured', who: 'test' }
    }
  }

  /** Asks as a viewer, and expects an answer. */
  async get(path: string) {
    const answer = await this.test.call('GET', `/api/lineage/${path}`, { as: 'viewer' })
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
    return answer.body
  }

  close(): Promise<void> {
    return this.test.close()
  }
}

/** References of what `draw` names. */
export const data_ = (name: string): string => `dataset://test/${name}`
export const job_ = (name: string): string => `job://test/${name}`

/** `a.x -> b.y` */
export function mapping(text: string, kind: MappingKind = 'identity'): ColumnMapping {
  const [from, to] = text.split(' -> ').map((side) => {
    const [name = '', column] = side.split('.')
    return { reference: data_(name), column: column ?? null }
  })
  return { from: from as ColumnMapping['from'], to: to as ColumnMapping['to'], kind }
}

/** A run of a job that reads and writes data by their references, and says so as a whole. */
export const seenBy = (
  job: string,
  timeMs: number,
  inputs: readonly string[],
  outputs: readonly string[],
  columns: readonly ColumnMapping[] = []
): Sighting => ({
  job: { reference: job_(job) },
  run: { id: `run_${timeMs}`, state: 'completed', timeMs, isWhole: true },
  inputs: inputs.map((reference) => ({ reference })),
  outputs: outputs.map((reference) => ({ reference })),
  columns,
  provenance: { how: 'captured', who: 'test' }
})
