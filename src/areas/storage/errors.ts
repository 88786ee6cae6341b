import { declareErrors } from '../../errors.ts'

export * from '../../errors.ts'

const errors = declareErrors({
  provider_type_immutable: {
    status: 400,
    title: 'The type of a storage provider can’t change',
    detail: 'Add another provider of the type you want.',
    about: 'Buckets would lose their objects if their provider became another kind of store.'
  },
  provider_is_default: {
    status: 409,
    title: 'The storage provider is the default',
    detail: 'Make another provider the default first.',
    about: 'There is exactly one default at any time, in which buckets are made when no provider is named.'
  },
  provider_in_use: {
    status: 409,
    title: 'The storage provider holds buckets',
    detail: 'Delete its buckets first.',
    about: 'A provider can’t be removed while buckets are kept with it. The answer says how many.'
  },
  provider_built_in: {
    status: 409,
    title: 'The built-in storage provider can’t be changed here',
    detail: 'Change OBJECTS_URL and start the server again, or add a provider of your own.',
    about:
      'Where it keeps its objects follows from the configuration of the server. Its name, and whether it is the default, can be changed.'
  }
})

type Own = typeof errors

declare module '../../errors.ts' {
  interface Errors extends Own {}
}
