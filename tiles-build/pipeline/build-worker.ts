// The worker thread of a build: does the jobs it is sent.

import { doJob } from './do-job.ts';
import { serveJobs } from './serve-jobs.ts';

serveJobs(doJob);
