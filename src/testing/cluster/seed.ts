import fc from 'fast-check'

// `npm run test:cluster -- --seed 7`. A property test with a seed of its own keeps it.
fc.configureGlobal({ seed: Number(process.env['CLUSTER_SEED'] ?? 1) })
