// Package copytest tests functions that copy one struct into another, field by field: that no field
// is forgotten.
package copytest

import (
	"fmt"
	"reflect"
	"testing"
)

// Fill sets all exported fields that are zero to values that differ from each other, in nested
// structs, too. Fields of interface types have to be set before.
func Fill(t *testing.T, pointer any) {
	t.Helper()
	next := 1
	fill(t, reflect.ValueOf(pointer).Elem(), "", &next)
}

func fill(t *testing.T, v reflect.Value, path string, next *int) {
	t.Helper()
	if v.Kind() == reflect.Struct {
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				fill(t, v.Field(i), path+"."+field.Name, next)
			}
		}
		return
	}
	if !v.IsZero() {
		return
	}
	*next++
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*next))
	case reflect.Uint64:
		v.SetUint(uint64(*next))
	case reflect.String:
		v.SetString(fmt.Sprint("text ", *next))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), *next, *next))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case reflect.Func:
		v.Set(reflect.MakeFunc(v.Type(), func([]reflect.Value) []reflect.Value { panic("not called") }))
	default:
		t.Fatalf("%s has the kind %s, which this package does not fill", path, v.Kind())
	}
}

// Check fails the test for each exported field of one struct that the other one does not have, or
// has with another value. Functions, and interfaces of different types, only have to be set.
func Check(t *testing.T, from, to any) {
	t.Helper()
	check(t, reflect.ValueOf(from), reflect.ValueOf(to), reflect.TypeOf(from).String())
}

func check(t *testing.T, from, to reflect.Value, path string) {
	t.Helper()
	switch {
	case from.Kind() == reflect.Struct:
		for i := range from.NumField() {
			field := from.Type().Field(i)
			if !field.IsExported() {
				continue
			}
			target := to.FieldByName(field.Name)
			if !target.IsValid() {
				t.Errorf("%s has no field %s", to.Type(), field.Name)
				continue
			}
			check(t, from.Field(i), target, path+"."+field.Name)
		}
	case from.Kind() == reflect.Func || from.Type() != to.Type():
		if to.IsZero() {
			t.Errorf("%s is not copied", path)
		}
	case !reflect.DeepEqual(from.Interface(), to.Interface()):
		t.Errorf("%s is not copied: %v became %v", path, from, to)
	}
}
