import { missingFile, serverFile } from './installed.ts'

const program = serverFile('openlineage', '@polyglot-sql/sdk/dist/index.node.js')

interface Dataset {
  readonly namespace: string
  readonly name: string
}

/** What the producer says of a statement; its events go out as they are. */
export interface ProducedEvent {
  readonly inputs: readonly Dataset[]
  readonly outputs: readonly (Dataset & {
    readonly facets: {
      readonly columnLineage: {
        readonly fields: Readonly<Record<string, { readonly inputFields: readonly (Dataset & { field: string })[] }>>
      }
    }
  })[]
}

/** A producer of OpenLineage events that others wrote: a parser of SQL which tells what a statement reads and writes. */
export interface Producer {
  openLineageRunEvent(sql: string, options: object): { event: ProducedEvent | null; error: string | null }
  openLineageJobEvent(sql: string, options: object): { event: ProducedEvent | null; error: string | null }
}

export const missingProducer = (): string | undefined => missingFile('@polyglot-sql/sdk', program)

export const loadProducer = async (): Promise<Producer> => (await import(program)) as Producer
