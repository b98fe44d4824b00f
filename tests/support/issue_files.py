"""What run_bad.py and run_fixtures.py share: cook one file in a folder of its own, and look at all that it says."""
import json
import os

import harness

SEVERITIES = ('error', 'warning', 'info')


class Answer:
    """One cook: exit code, text, report, and what lies in the output's folder afterwards."""

    def __init__(self, source, folder, options=(), **run_options):
        os.makedirs(folder)
        self.pack = os.path.join(folder, 'out.mpak')
        report = os.path.join(folder, 'report.json')
        arguments = ['cook', '--quality', 'lossless', *options, '--report', report, '-o', self.pack, '--', source]
        self.code, _, self.text = harness.run(arguments, **run_options)
        self.issues, self.report = [], None
        if os.path.exists(report):
            with open(report, 'rb') as file:
                self.report = json.loads(file.read().decode('utf-8'))
            self.issues = self.report['inputs'][0]['issues']
        self.has_pack = os.path.exists(self.pack)
        self.leftovers = sorted(set(os.listdir(folder)) - {'out.mpak', 'report.json'})

    def codes(self, severity):
        return sorted({issue['code'] for issue in self.issues if issue['severity'] == severity})

    def worst(self):
        """The highest severity above info, or 'none'."""
        for severity in SEVERITIES[:2]:
            if self.codes(severity):
                return severity
        return 'none'

    def complaints(self):
        """What no answer may have, whatever the file."""
        found = []
        if self.report is None:
            return ['no report, exit %d: %s' % (self.code, self.text[-300:])]
        for word in ('Sanitizer', 'runtime error:', 'Traceback'):
            if word in self.text:
                found.append(self.text[self.text.index(word):][:300])
        if self.leftovers:
            found.append('left behind: %r' % self.leftovers)
        if self.has_pack != (self.code == 0):
            found.append('exit %d, but pack %s' % (self.code, 'present' if self.has_pack else 'absent'))
        if (self.code != 0) != bool(self.codes('error')):
            found.append('exit %d with errors %r' % (self.code, self.codes('error')))
        if self.report['inputs'][0]['exit_code'] != self.code or self.report['exit_code'] != self.code:
            found.append('the report has another exit code')
        for issue in self.issues:
            if issue['severity'] != 'info' and '[%s]' % issue['code'] not in self.text:
                found.append('%s is in the report, but not in the text' % issue['code'])
        return found
