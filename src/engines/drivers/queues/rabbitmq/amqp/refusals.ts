/** The server ended the connection or the channel, and said why. */
export class AmqpRefusal extends Error {
  override readonly name = 'AmqpRefusal'
  readonly code: number
  readonly ended: 'connection' | 'channel'

  constructor(code: number, text: string, ended: AmqpRefusal['ended']) {
    super(text)
    this.code = code
    this.ended = ended
  }
}

/** The server gave no answer in time, or hung up without a word. */
export class AmqpSilence extends Error {
  override readonly name = 'AmqpSilence'
  readonly how: 'late' | 'gone'
  /** Whether it had said anything that is AMQP before. */
  readonly wasUnderstood: boolean

  constructor(how: AmqpSilence['how'], wasUnderstood: boolean) {
    super(how === 'late' ? 'There was no answer in time' : 'The server hung up')
    this.how = how
    this.wasUnderstood = wasUnderstood
  }
}
