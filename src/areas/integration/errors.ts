import { declareErrors } from '../../errors.ts'

export * from '../../errors.ts'

const errors = declareErrors({
  too_many_sources: {
    status: 422,
    title: 'There are as many sources of your own as a server takes',
    detail: 'Delete one that no connector uses first.',
    about: 'A server takes 500 sources beside those that are shipped.'
  },
  shipped_source: {
    status: 409,
    title: 'The source is shipped, and can’t be changed',
    detail: 'Make your own from it: GET it, give it another id, and POST it to /api/integration/sources.',
    about: 'Sources that are shipped come with the version of the server. Those of your own can be changed and deleted.'
  }
})

type Own = typeof errors

declare module '../../errors.ts' {
  interface Errors extends Own {}
}
