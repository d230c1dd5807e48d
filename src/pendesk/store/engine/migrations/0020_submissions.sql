-- Work without a pull request: a submission names its branch instead, and the head it is judged by.
ALTER TABLE submissions ALTER COLUMN pr_url DROP NOT NULL;
ALTER TABLE submissions ADD COLUMN branch TEXT;
