/** Thrown by a worker: another attempt would fail the same way, so the job fails now. */
export class PermanentFailure extends Error {
  readonly code: string

  /** `code` goes into the job's `error`: lower case, stable, for programs to act on. */
  constructor(message: string, code = 'permanent_failure') {
    super(message)
    this.code = code
  }
}

/** This run no longer holds its job: it was taken over, given up or cancelled, and nothing it does counts any more. */
export class LeaseLost extends Error {
  constructor(jobId: string) {
    super(`This run no longer holds job ${jobId}: stop working on it, it is in other hands`)
  }
}
