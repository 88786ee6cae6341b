import { declareErrors } from '../../../src/errors.ts'

export * from '../../../src/errors.ts'

const errors = declareErrors({
  thing_broken: {
    status: 409,
    title: 'The thing is broken',
    detail: 'Take another one.',
    about: 'Only in tests: a code that an area adds of its own.'
  }
})

type Own = typeof errors

declare module '../../../src/errors.ts' {
  interface Errors extends Own {}
}
