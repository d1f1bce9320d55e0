"""Why a number is what it is: kinks, broken rules, growth, missing gradients."""
