import { declareErrors } from '../../errors.ts'

export * from '../../errors.ts'

const errors = declareErrors({
  schema_incompatible: {
    status: 409,
    title: 'The schema is not compatible',
    detail: 'Mend what violations lists, or register it as another schema.',
    about:
      'The new version does not get on with versions before it in the way that the compatibility of the schema asks for. Each entry of `violations` has the `path` in the schema, the `rule`, a `message` that says what breaks for whom, the `version` it was held against and the `direction`. `POST /schemas/{id}/compatibility` says the same without registering anything.'
  },
  schemas_read_only: {
    status: 409,
    title: 'Schemas can only be read',
    detail: 'Set the mode to READWRITE first, with PUT /schema-registry/mode or /schema-registry/mode/{subject}.',
    about: 'The mode of the registry, or of this schema, allows no changes. The answer names it in `mode`.'
  },
  schema_busy: {
    status: 409,
    title: 'The schema was changed at the same time',
    detail: 'Send the same again.',
    about:
      'Another version came while this one was being checked, so that it would have to be checked again. Nothing was changed.'
  },
  schema_reference_missing: {
    status: 422,
    title: 'The schema refers to something that is not there',
    detail: 'Register what it refers to first, and name it in references.',
    about:
      'A type, an import or an address in the schema is neither in it nor among its `references`, or a reference names a version that is not there.'
  },
  schema_too_large: {
    status: 422,
    title: 'The schema is too large',
    detail: 'Divide the schema: it may have 1,048,576 characters, what it refers to included.',
    about: 'The text of the schema, with all that it refers to, is longer than a schema may be.'
  }
})

type Own = typeof errors

declare module '../../errors.ts' {
  interface Errors extends Own {}
}
