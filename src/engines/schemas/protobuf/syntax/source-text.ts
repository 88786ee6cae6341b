import { type FaultKind, type Place, SchemaFault } from '../../fault.ts'

/** A text with the name it is imported by, so that faults can say where they are. */
export class SourceText {
  readonly text: string
  /** Undefined for the schema itself. */
  readonly dependency: string | undefined

  constructor(text: string, dependency?: string) {
    this.text = text
    this.dependency = dependency
  }

  place(offset: number): Place {
    // What was made from a descriptor has no lines.
    if (offset < 0) return { dependency: this.dependency }
    let line = 1
    let lineStart = 0
    for (let next = this.text.indexOf('\n'); next !== -1 && next < offset; next = this.text.indexOf('\n', next + 1)) {
      line++
      lineStart = next + 1
    }
    return { line, column: offset - lineStart + 1, dependency: this.dependency }
  }

  fault(message: string, offset: number, kind: FaultKind = 'invalid'): SchemaFault {
    return new SchemaFault(kind, message, this.place(offset))
  }
}
