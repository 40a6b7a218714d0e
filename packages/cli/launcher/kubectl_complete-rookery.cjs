#!/usr/bin/env node
// What kubectl asks when the Tab key is pressed behind `kubectl rookery`.
process.argv.splice(2, 0, "__complete");
require("./rookery.cjs");
