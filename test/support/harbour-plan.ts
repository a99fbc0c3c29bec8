// The plan of a harbour chart as the S-57 writer takes it, for tests in which only its name matters.

export const harbourPlan = (name: string) => ({
  name,
  usageBand: 5,
  scaleDenominator: 10_000,
  edition: 1,
  update: 0,
  issueDate: '20260101',
  agency: 65_534,
});
