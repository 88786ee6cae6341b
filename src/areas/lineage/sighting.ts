/**
 * What somebody tells the lineage: a job read these data and wrote those. Several sightings of one run add up; the same one
 * told again changes nothing; they may come in any order.
 */
export interface Sighting {
  readonly job: JobSeen
  readonly run: RunSeen
  readonly inputs: readonly DataSeen[]
  readonly outputs: readonly DataSeen[]
  readonly columns: readonly ColumnMapping[]
  readonly provenance: Provenance
}

export interface JobSeen {
  /** `job://pipeline/pl_1`, `job://<namespace>/<name>`; see `jobReference`. */
  readonly reference: string
  /** For people; it may change. */
  readonly name?: string
  readonly owners?: readonly string[]
  readonly description?: string
}

export interface RunSeen {
  /** Unique within the job. */
  readonly id: string
  readonly state: RunState
  /** When this happened, as the one who tells it says; milliseconds since 1970. The earliest of a run is its start. */
  readonly timeMs: number
  /**
   * From then on everything that the run has not named is over for the job. That is the end of a run that completed; a run
   * that knows beforehand all that it will read and write says so when it starts.
   */
  readonly isWhole: boolean
  /** What it failed at, in the words of whoever ran it. */
  readonly error?: string
  /** The run that started this one. */
  readonly parent?: { readonly job: string; readonly run: string }
}

export type RunState = 'running' | 'completed' | 'failed' | 'aborted' | 'other'

export interface DataSeen {
  /** A data reference, or `dataset://<namespace>/<name>` for data outside the platform. */
  readonly reference: string
  /** For people, where it has one; it may change. */
  readonly name?: string
  /** All its columns, where they are known. */
  readonly columns?: readonly ColumnSeen[]
  readonly owners?: readonly string[]
  readonly description?: string
  /** Other names of the same data. */
  readonly aliases?: readonly string[]
}

export interface ColumnSeen {
  readonly name: string
  readonly type?: string
}

/**
 * One column of an input has to do with one of an output. Without a column in `from` it is the whole of the data; without
 * one in `to`, it decides which rows there are.
 */
export interface ColumnMapping {
  readonly from: ColumnPlace
  readonly to: ColumnPlace
  readonly kind: MappingKind
}

export interface ColumnPlace {
  readonly reference: string
  readonly column: string | null
}

/**
 * `identity`: the value as it is. `computed`: a value made from it. `masked`: made so that the value can't be told from it.
 * The others decide about rows rather than values: which there are (`filtered`, `joined`), which make one (`grouped`), which
 * come first (`sorted`).
 */
export type MappingKind = 'identity' | 'computed' | 'masked' | 'filtered' | 'joined' | 'grouped' | 'sorted'

/** Who says so: the platform that did it, a parser of SQL, an OpenLineage producer, or a person. */
export interface Provenance {
  readonly how: 'captured' | 'parsed' | 'openlineage' | 'manual'
  /** The area, the producer or the user. */
  readonly who: string
}
