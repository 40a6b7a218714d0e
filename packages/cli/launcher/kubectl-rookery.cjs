#!/usr/bin/env node
// `kubectl rookery`: the command goes by the name that it was started by.
require("./rookery.cjs");
