package dev.sro.core.recipe.gotemplate;

/** A complex number; literals are where one can come from. */
record GoComplex(double real, double imaginary) {}
