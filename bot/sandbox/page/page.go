// Package page draws what a person sees in the sandbox as HTML without a script: views in, escaped text out.
package page
