import { declareErrors } from '../../errors.ts'

export * from '../../errors.ts'

const errors = declareErrors({
  too_many_sources: {
    status: 422,
    title: 'There are as many sources of your own as a server takes',
    detail: 'Delete one that no connector uses first.',
    about: 'A server takes 500 sources beside those that are shipped.'
  }
})

type Own = typeof errors

declare module '../../errors.ts' {
  interface Errors extends Own {}
}
