import { declareErrors } from '../../errors.ts'

export * from '../../errors.ts'

const errors = declareErrors({
  rights_exceeded: {
    status: 403,
    title: 'An API key can’t have more rights than its maker',
    detail: 'Ask for a role or scopes that you have yourself.',
    about: 'The role or one of the scopes asked for goes beyond what the caller may do.'
  }
})

type Own = typeof errors

declare module '../../errors.ts' {
  interface Errors extends Own {}
}
