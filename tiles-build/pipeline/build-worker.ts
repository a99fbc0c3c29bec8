// The worker thread of a build.

import { doJob } from './do-job.ts';
import { serveJobs } from './serve-jobs.ts';

serveJobs(doJob);
