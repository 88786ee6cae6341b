/** Why no PNG was made. What is `failed` or `too_slow` says something about one picture, the rest about how things are. */
export type PictureFault = 'overloaded' | 'closed' | 'too_large' | 'too_slow' | 'failed'

export class PictureError extends Error {
  override readonly name = 'PictureError'
  readonly code: PictureFault

  constructor(code: PictureFault, message: string) {
    super(message)
    this.code = code
  }
}
