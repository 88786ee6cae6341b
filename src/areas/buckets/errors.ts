import { declareErrors } from '../../errors.ts'

export * from '../../errors.ts'

const errors = declareErrors({
  malformed_form: {
    status: 400,
    title: 'The form can’t be read',
    detail: 'Send multipart/form-data with one part named file and, if wanted, one named key.',
    about:
      'The body is not a complete `multipart/form-data` form, or lacks the part `file`, or has parts not asked for.'
  },
  link_refused: {
    status: 403,
    title: 'The link is not valid',
    detail: 'Ask whoever gave you the link for a new one.',
    about:
      'The link was altered, is for another object or another method, was revoked, has been used as often as it may, or the object has got a stricter level than it had when the link was made.'
  },
  link_expired: {
    status: 403,
    title: 'The link has expired',
    detail: 'Ask whoever gave you the link for a new one.',
    about: 'Links work until the time they were made for, seven days at most.'
  },
  upload_incomplete: {
    status: 409,
    title: 'Parts of the upload are missing',
    detail: 'Send the parts named in errors, then complete the upload again.',
    about: 'The parts have to be numbered without a gap from 1, and each but the last has 5 MiB or more.'
  },
  link_not_revocable: {
    status: 409,
    title: 'The link can’t be revoked',
    detail: 'Wait until it expires, or replace the provider’s access key.',
    about:
      'The link was signed by the storage provider, which knows of no revocation. Links made with `POST /api/buckets/{name}/links` can be revoked.'
  },
  object_damaged: {
    status: 500,
    title: 'The object is damaged',
    detail: 'Upload it again, or put it back from a backup; what is known of it can still be asked for.',
    about:
      'The disk does not give back the bytes that were written, as checksums tell. A download that meets the damage when it has begun is cut off. Uploading the object again or deleting it ends this; `millrace doctor` names all that is damaged.'
  },
  object_index_damaged: {
    status: 500,
    title: 'The index of the objects is lost or damaged',
    detail: 'Stop the server and restore the objects from a backup; `millrace doctor` says what is left.',
    about:
      'The file that says which objects there are, and holds the small ones, is missing, empty or damaged, while contents of objects are there. Nothing is read or written until it is put back, so that nothing new is in its way. `docs/object-storage.md` says what can be done without a backup.'
  },
  store_timeout: {
    status: 504,
    title: 'The storage provider does not answer',
    detail: 'Try again; if it lasts, test the provider.',
    about: 'The provider that keeps the bucket did not answer in time.'
  }
})

type Own = typeof errors

declare module '../../errors.ts' {
  interface Errors extends Own {}
}
