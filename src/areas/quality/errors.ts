import { declareErrors } from '../../errors.ts'

export * from '../../errors.ts'

const errors = declareErrors({
  too_many_rules: {
    status: 409,
    title: 'The dataset has as many rules as it can have',
    detail: 'A dataset can have 500 rules; delete one that is not needed first.',
    about:
      'One evaluation asks all rules of a dataset, so their number is limited. Several questions about one column often fit one rule of SQL.'
  },
  too_many_baselines: {
    status: 409,
    title: 'The dataset has as many baselines as it can have',
    detail: 'A dataset can have 500 baselines; delete one that no rule compares with first.',
    about:
      'A baseline stays until it is deleted, so their number is limited. Those that rules make for themselves do not count.'
  },
  run_cancelled: {
    status: 409,
    title: 'It was cancelled',
    detail:
      'Somebody has cancelled this while it was under way, and nothing of it was kept; send it again if it is needed.',
    about:
      'Whoever may evaluate rules may cancel what reads data for them: `POST /api/quality/runs/:id/cancel`. The audit trail says who did. An evaluation that is cancelled is no error: its rules are `notEvaluated`.'
  },
  nothing_to_evaluate: {
    status: 422,
    title: 'There is no rule to evaluate',
    detail:
      'No rule that is enabled is about this dataset. GET /api/quality/rules lists those there are; a dataset is named exactly as its rules name it.',
    about: 'An evaluation without a rule would say nothing, and look as if all were well.'
  }
})

type Own = typeof errors

declare module '../../errors.ts' {
  interface Errors extends Own {}
}
