import { declareErrors } from '../../errors.ts'

export * from '../../errors.ts'

const errors = declareErrors({
  channel_deleted: {
    status: 409,
    title: 'The channel is gone',
    detail: 'The channel of this message was deleted, so it can’t be sent again.',
    about: 'What was sent stays in the log after its channel was deleted, but there is nobody to send it to any more.'
  }
})

type Own = typeof errors

declare module '../../errors.ts' {
  interface Errors extends Own {}
}
