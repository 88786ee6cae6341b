import { declareErrors } from '../../errors.ts'

export * from '../../errors.ts'

const errors = declareErrors({
  not_yours_to_edit: {
    status: 403,
    title: 'The dashboard is not yours to change',
    detail: 'You can see it; ask its owner to share it with you for editing, or make a copy.',
    about:
      'Dashboards are changed by their owner, by those it is shared with for editing, by everybody with the role where it says `everyone: edit`, and by administrators.'
  },
  too_many_favourites: {
    status: 409,
    title: 'You have too many favourites',
    detail: 'Take some of your 1,000 favourites out first.',
    about: 'Favourites are for what is needed often; everything else is found by name, tag or folder.'
  }
})

type Own = typeof errors

declare module '../../errors.ts' {
  interface Errors extends Own {}
}
