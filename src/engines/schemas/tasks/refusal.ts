/** Why a task is not done that is nobody's fault: too many wait, or the server is about to stop. */
export class TaskRefusal extends Error {
  readonly code: 'overloaded' | 'closed'

  constructor(code: TaskRefusal['code']) {
    super(code === 'overloaded' ? 'Too much is being computed about schemas' : 'Nothing is computed any more')
    this.code = code
  }
}
